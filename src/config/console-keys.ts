import type { KeyText } from '../channels/settings.ts'

/** As a file names a variable of the environment. */
export function variable(name: string): string {
  return `\${${name}}`
}

/** Of no password. */
const exampleHash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** What the keys of the console are for, in the words of the schema. */
export const consoleKeys: Record<string, KeyText> = {
  console: {
    is: 'The web console; off where it is not set. Without users, oidc and proxy it answers at this machine alone',
    example: { listen: { port: 8081 } },
  },
  'console.listen': { is: 'Where it listens', example: { host: '127.0.0.1', port: 8081 } },
  'console.listen.host': {
    is: 'The address of this machine, 127.0.0.1 where nothing is said; another only with users, oidc or proxy',
    example: '127.0.0.1',
  },
  'console.listen.port': {
    is: 'The TCP port; 0 is any that is free; server is that of deliveries, behind server.trustProxy, at the path of publicUrl',
    example: 8081,
  },
  'console.publicUrl': {
    is: 'Address under which people reach it, behind a proxy that keeps the path; messages link to it. Else the path is /console',
    example: 'https://desk.example/bluepencil',
  },
  'console.users': {
    is: 'Who may sign in',
    example: [{ name: 'ana', password: exampleHash, role: 'editor' }],
  },
  'console.users.name': { is: 'By which they sign in, and which stands beside what they do', example: 'ana' },
  'console.users.password': {
    is: 'What console-user prints: a hash, not the password',
    example: exampleHash,
  },
  'console.users.role': {
    is: 'reader: looks; editor: also acts; admin: also sees the configuration and the audit log',
    example: 'editor',
  },
  'console.proxy': {
    is: 'A proxy that signs people in, and says who they are in a header',
    example: { header: 'X-Forwarded-User', from: ['127.0.0.1/32'], roles: { ana: 'admin', '*': 'reader' } },
  },
  'console.proxy.header': {
    is: 'The header with the name of the person; the proxy must remove what others send under it',
    example: 'X-Forwarded-User',
  },
  'console.proxy.from': {
    is: 'The networks from which the proxy comes; from elsewhere the header counts for nothing',
    example: ['127.0.0.1/32'],
  },
  'console.proxy.roles': {
    is: 'The role of each person; * is everybody else, who otherwise has none',
    example: { ana: 'admin', '*': 'reader' },
  },
  'console.oidc': {
    is: 'Sign-in with an account of an OpenID Connect provider, such as Keycloak, Entra ID, Okta or Google',
    example: {
      issuer: 'https://login.example/realms/desk',
      clientId: 'bluepencil',
      clientSecret: variable('OIDC_SECRET'),
      roles: { groups: { newsroom: 'editor', 'newsroom-admins': 'admin' } },
    },
  },
  'console.oidc.issuer': {
    is: 'The provider, as it calls itself; /.well-known/openid-configuration below it says the rest',
    example: 'https://login.example/realms/desk',
  },
  'console.oidc.clientId': {
    is: 'The name under which the provider knows the console',
    example: 'bluepencil',
  },
  'console.oidc.clientSecret': {
    is: 'The secret that the provider has given for it',
    example: variable('OIDC_SECRET'),
  },
  'console.oidc.name': {
    is: 'What the button to sign in calls the provider; else it is the name of its host',
    example: 'Keycloak',
  },
  'console.oidc.scopes': {
    is: 'What is asked for; some providers give groups only for a scope of their own',
    example: ['openid', 'profile', 'email', 'groups'],
  },
  'console.oidc.groupsClaim': {
    is: 'The claim with the groups of a person, by its name, or by its path such as realm_access.roles',
    example: 'roles',
  },
  'console.oidc.roles': {
    is: 'Who has which role; who fits several has the highest, and who fits none may not come in',
    example: { groups: { newsroom: 'editor' }, emails: { 'ana@desk.example': 'admin' } },
  },
  'console.oidc.roles.groups': {
    is: 'By a group',
    example: { newsroom: 'editor', 'newsroom-admins': 'admin' },
  },
  'console.oidc.roles.emails': {
    is: 'By an e-mail address, or the domain of one, where the provider says that it is verified',
    example: { 'ana@desk.example': 'admin', '@desk.example': 'reader' },
  },
  'console.oidc.roles.anyone': {
    is: 'Of everybody whom the provider signs in; never where anyone can have an account there',
    example: 'reader',
  },
}
