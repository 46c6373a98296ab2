import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfigFile, readConfigFile } from '../../../src/config/load.ts'
import { checkRows } from '../../support/check-rows.ts'

const smallest = 'channels:\n  - name: desk\n    type: console\n'

function complaint(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing'
}

/** What people write, and what they are answered: file, line, key, and what to write instead. */
const mistakes: [string, string][] = [
  [
    'slack: { token: xoxb-1-2-abc }\nchannels:\n  - name: desk\n    type: slack\n    to: #ai-desk\n',
    'b.yaml:5:9: channels[0].to: is empty; text that begins with # must be in quotes, since # begins a comment',
  ],
  [
    `${smallest}    models: claude\n`,
    'b.yaml:4:13: channels[0].models: must be a list; write it in brackets, such as [one, another]',
  ],
  [
    `${smallest}    escalate: { after: 15m, to: night }\n`,
    'b.yaml:4:33: channels[0].escalate.to: there is no channel called night; there are desk',
  ],
  [
    `${smallest}    escalate: { after: 15m, to: desk }\n`,
    'b.yaml:4:33: channels[0].escalate.to: is the channel itself; name another one',
  ],
  [
    `${smallest}    escalate: { after: 5s, minDelta: ten }\n`,
    'b.yaml:4:24: channels[0].escalate.after: must be from 1m to 12h\nb.yaml:4:38: channels[0].escalate.minDelta: must be a number alone, such as 5: no quotes, unit or per cent sign\nb.yaml:4:15: channels[0].escalate.to: is missing',
  ],
  [
    `${smallest}    escalate: { after: 15m, to: night }\n  - { name: night, type: console, digest: { every: day } }\n`,
    'b.yaml:4:33: channels[0].escalate.to: names night, whose alerts wait for a digest; name a channel without one',
  ],
  [
    `console: { listen: { port: 8081 } }\n${smallest}    escalate: { after: 15m, to: night }\n  - { name: night, type: console }\n`,
    'b.yaml:5:15: channels[0].escalate: needs people who can acknowledge: let Bluepencil listen in Slack or Discord, or set up a console with sign-in; otherwise every alert would escalate',
  ],
  [
    `${smallest}    minDelta: 5%\n`,
    'b.yaml:4:15: channels[0].minDelta: must be a number alone, such as 5: no quotes, unit or per cent sign',
  ],
  [
    `${smallest}    minDelta: "5"\n`,
    'b.yaml:4:15: channels[0].minDelta: must be a number alone, such as 5: no quotes, unit or per cent sign',
  ],
  [`${smallest}    minDelta: -5\n`, 'b.yaml:4:15: channels[0].minDelta: must be 0 at least'],
  [
    `${smallest}    minDelta: 5pp\n`,
    'b.yaml:4:15: channels[0].minDelta: must be a number alone, such as 5: no quotes, unit or per cent sign',
  ],
  [
    'channels:\n  - { name: d, type: teams }\n',
    'b.yaml:2:22: channels[0].type: must be one of slack, discord, email, console, webhook',
  ],
  [
    'channels:\n  - { name: d, type: Slack }\n',
    'b.yaml:2:22: channels[0].type: must be one of slack, discord, email, console, webhook',
  ],
  [
    'channels:\n  - { name: d }\n',
    'b.yaml:2:5: channels[0].type: must be one of slack, discord, email, console, webhook',
  ],
  [
    `${smallest}    events: []\n`,
    'b.yaml:4:13: channels[0].events: is an empty list: desk would get nothing. Leave the key out to get every alert. Or name the channel under operators, and it gets only notices about problems',
  ],
  [
    `operators: [desk]\n${smallest}    events: []\n`,
    'b.yaml:3:3: channels: all get only notices about problems (events: []), so nobody would get an alert',
  ],
  [
    `${smallest}    statusReport: daily\n`,
    'b.yaml:4:19: channels[0].statusReport: must be weekly; leave the key out for none',
  ],
  [
    `${smallest}    models: []\n`,
    'b.yaml:4:13: channels[0].models: is an empty list, so nothing would pass; leave the key out to get everything',
  ],
  [`${smallest}    direction: up\n`, 'b.yaml:4:16: channels[0].direction: must be one of rise, fall, both'],
  [`${smallest}    direction: Rise\n`, 'b.yaml:4:16: channels[0].direction: must be one of rise, fall, both'],
  [
    `${smallest}    language: german\n`,
    'b.yaml:4:15: channels[0].language: must be one of en, de, fr, es, pt',
  ],
  [
    `${smallest}polling: { interval: 5 }\n`,
    'b.yaml:4:22: polling.interval: is not a duration; write a number and s, m, h or d, such as 5m',
  ],
  [
    `${smallest}polling: { interval: 5min }\n`,
    'b.yaml:4:22: polling.interval: is not a duration; write a number and s, m, h or d, such as 5m',
  ],
  [
    `${smallest}polling: { interval: 5 m }\n`,
    'b.yaml:4:22: polling.interval: is not a duration; write a number and s, m, h or d, such as 5m',
  ],
  [`${smallest}polling: { interval: 1s }\n`, 'b.yaml:4:22: polling.interval: must be from 10s to 1d'],
  [
    `${smallest}polling: off\n`,
    'b.yaml:4:10: polling: must have keys of its own, indented below it: mode, interval, alertsPath',
  ],
  [`${smallest}polling: { mode: on }\n`, 'b.yaml:4:18: polling.mode: must be one of auto, always, off'],
  [
    `${smallest}polling: true\n`,
    'b.yaml:4:10: polling: must have keys of its own, indented below it: mode, interval, alertsPath',
  ],
  ['channels:\n\t- name: desk\n', 'b.yaml:2:1: is not YAML: there is a tab; indent with spaces'],
  [
    'channels:\n  - name: desk\n\ttype: console\n    minDelta: 5\nserver: { port: 1 }\n',
    'b.yaml:3:1: is not YAML: there is a tab; indent with spaces',
  ],
  [
    'channels:\n  - name: desk\n   type: console\n',
    'b.yaml:3:1: is not YAML: a hyphen, a quote, a comma or a bracket is missing, or the indentation is wrong',
  ],
  [`${smallest}    name: other\n`, 'b.yaml:4:5: is not YAML: this key is here twice; keep one of them'],
  [
    `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: "\${A}-\${B}" }\n`,
    'b.yaml:4:53: the environment variable A is not set; the environment variable B is not set',
  ],
  [
    `${smallest}webhook: { publicUrl: desk.example }\nmonitor: { baseUrl: "https://m.example/v1", apiKey: key-of-the-desk }\n`,
    'b.yaml:4:23: webhook.publicUrl: is not an address; write one such as https://alerts.desk.example',
  ],
  [
    `${smallest}webhook: { publicUrl: "https://user:pw@desk.example" }\nmonitor: { baseUrl: "https://m.example/v1", apiKey: key-of-the-desk }\n`,
    'b.yaml:4:23: webhook.publicUrl: has a user name or a password in it; leave them out',
  ],
  [
    `${smallest}webhook: { publicUrl: "ftp://desk.example" }\nmonitor: { baseUrl: "https://m.example/v1", apiKey: key-of-the-desk }\n`,
    'b.yaml:4:23: webhook.publicUrl: is not an address; write one such as https://alerts.desk.example',
  ],
  [
    `email: { smtp: "smtp://me:pass word@mail.example:587", from: a@b.example }\n${smallest}`,
    'b.yaml:1:16: email.smtp: has a space in it; write %20 for a space in user or password',
  ],
  [
    `email: { smtp: mail.example, from: a@b.example }\n${smallest}`,
    'b.yaml:1:16: email.smtp: is not a mail server; write smtp://user:password@host:587 or smtps://user:password@host:465, with / ? # % in user and password percent-encoded',
  ],
  [
    `email: { smtp: "smtp://me@mail.example", from: a@b.example }\n${smallest}`,
    'b.yaml:1:16: email.smtp: has a user without a password, or the other way round; write both or neither',
  ],
  [`email: { smtp: "smtp://mail.example" }\n${smallest}`, 'b.yaml:1:8: email.from: is missing'],
  [
    `email: { smtp: "smtp://mail.example", from: Desk }\n${smallest}`,
    'b.yaml:1:45: email.from: is not an address; write desk@example.org or "Desk <desk@example.org>"',
  ],
  [
    'email: { smtp: "smtp://mail.example", from: a@b.example }\nchannels:\n  - { name: m, type: email, to: "a@b.example, c@d.example" }\n',
    'b.yaml:3:33: channels[0].to: is several addresses in one text; write a list, such as [one@example.org, two@example.org]',
  ],
  [
    'email: { smtp: "smtp://mail.example", from: a@b.example }\nchannels:\n  - { name: m, type: email }\n',
    'b.yaml:3:5: channels[0].to: is missing or is no address; write one, or a list of up to 50',
  ],
  [
    `slack: { token: xoxb-your-token }\n${smallest}`,
    'b.yaml:1:17: slack.token: is a placeholder; put the real one here',
  ],
  [
    `slack: { token: "" }\n${smallest}`,
    'b.yaml:1:17: slack.token: is empty, or has a space or a curly quote in it; copy it again',
  ],
  [`slack: { token: 12345 }\n${smallest}`, 'b.yaml:1:17: slack.token: must be text; put it in quotes'],
  [
    `slack: xoxb-1\n${smallest}`,
    'b.yaml:1:8: slack: must have keys of its own, indented below it: token, signingSecret, appToken, apiUrl, intervalMs',
  ],
  [
    `slack: { token: xapp-1-2-3 }\n${smallest}`,
    'b.yaml:1:17: slack.token: is an app-level token; the bot token begins with xoxb- (OAuth & Permissions)',
  ],
  [
    `slack: { token: "Bearer xoxb-1" }\n${smallest}`,
    'b.yaml:1:17: slack.token: is empty, or has a space or a curly quote in it; copy it again',
  ],
  [
    'slack: { token: xoxb-1-2-abc }\nchannels:\n  - { name: s, type: slack, to: ai-desk }\n',
    'b.yaml:3:33: channels[0].to: is not a Slack channel; write its name with the #, such as "#ai-desk", or its id, such as C0123456789',
  ],
  [
    'slack: { token: xoxb-1-2-abc }\nchannels:\n  - { name: s, type: slack }\n',
    'b.yaml:3:5: channels[0].to: is missing; write to: "#ai-desk" (with slack.token), or the webhookUrl of an incoming webhook',
  ],
  [
    'channels:\n  - { name: s, type: slack, webhookUrl: "https://hooks.slack.com/services/T/B/x", to: "#x" }\n',
    'b.yaml:2:41: channels[0].webhookUrl: is set together with to; keep one of them: to posts with slack.token, webhookUrl needs no token',
  ],
  [
    'channels:\n  - { name: s, type: slack, webhookUrl: "https://hooks.slack.com/services/T/B/x", pictures: true }\n',
    'b.yaml:2:93: channels[0].pictures: needs to, with slack.token, instead of webhookUrl: nothing can be added through an incoming webhook',
  ],
  [
    'channels:\n  - { name: s, type: slack, webhookUrl: hooks.slack.com/x }\n',
    'b.yaml:2:41: channels[0].webhookUrl: is not a web address; write one that begins with https://',
  ],
  [
    `discord: { token: Bot abc }\n${smallest}`,
    'b.yaml:1:19: discord.token: must be the bot’s token alone, without "Bot " before it',
  ],
  [
    'discord: { token: abc }\nchannels:\n  - { name: d, type: discord, to: 1180000000000000001 }\n',
    'b.yaml:3:35: channels[0].to: is not text: write the channel id in quotes, such as "1180000000000000001"; without them its last digits are lost',
  ],
  [
    'discord: { token: abc }\nchannels:\n  - { name: d, type: discord, to: "#general" }\n',
    'b.yaml:3:35: channels[0].to: is not a channel id: it has 17 to 20 digits, such as "1180000000000000001" (in Discord: right click, Copy ID)',
  ],
  [
    'channels:\n  - { name: d, type: discord, webhookUrl: "https://discord.com/channels/1/2" }\n',
    'b.yaml:2:43: channels[0].webhookUrl: must be a webhook’s address as Discord shows it: https://discord.com/api/webhooks/ID/TOKEN (nothing after TOKEN but ?thread_id=ID; http only on loopback)',
  ],
  [
    'channels:\n  - { name: d, type: discord, to: "1180000000000000001" }\n',
    'b.yaml:2:5: channels[0]: needs discord.token (a bot token), or webhookUrl instead of to',
  ],
  [
    `${smallest}operators: desk\n`,
    'b.yaml:4:12: operators: must be a list; write it in brackets, such as [one, another]',
  ],
  [
    `${smallest}operators: [Desk]\n`,
    'b.yaml:4:13: operators[0]: there is no channel called Desk; there are desk',
  ],
  [`${smallest}operators: [""]\n`, 'b.yaml:4:13: operators[0]: there is no channel called ; there are desk'],
  [
    `${smallest}retention: 90\n`,
    'b.yaml:4:12: retention: is not a duration; write a number and s, m, h or d, such as 90d',
  ],
  [
    `${smallest}retention: 90 days\n`,
    'b.yaml:4:12: retention: is not a duration; write a number and s, m, h or d, such as 90d',
  ],
  [
    `${smallest}retention: 1y\n`,
    'b.yaml:4:12: retention: is not a duration; write a number and s, m, h or d, such as 90d',
  ],
  [
    `${smallest}store: ./data\n`,
    'b.yaml:4:8: store: must be file: and a folder, such as file:./data, or the address of a database, postgres://user:password@host/name',
  ],
  [
    `${smallest}store: file:\n`,
    'b.yaml:4:8: is not YAML: there is one colon too many; put text with a colon in it in quotes',
  ],
  [`${smallest}log: verbose\n`, 'b.yaml:4:6: log: must be one of debug, info, warn, error'],
  [`${smallest}log: INFO\n`, 'b.yaml:4:6: log: must be one of debug, info, warn, error'],
  [
    `${smallest}server: { port: 8080tcp }\n`,
    'b.yaml:4:17: server.port: must be a whole number from 0 to 65535',
  ],
  [
    `${smallest}server: 8080\n`,
    'b.yaml:4:9: server: must have keys of its own, indented below it: host, port, basePath, publicUrl, trustProxy',
  ],
  [`${smallest}server: { host: "" }\n`, 'b.yaml:4:17: server.host: is empty'],
  [
    `${smallest}server: { basePath: bluepencil }\n`,
    'b.yaml:4:21: server.basePath: must begin with / and hold letters, digits, - . _ ~ and /',
  ],
  [
    `${smallest}webhook: { path: webhook }\n`,
    'b.yaml:4:18: webhook.path: must begin with / and hold letters, digits, - . _ ~ and /',
  ],
  [
    `${smallest}webhook: { path: "/web hook" }\n`,
    'b.yaml:4:18: webhook.path: must begin with / and hold letters, digits, - . _ ~ and /',
  ],
  [
    `${smallest}webhook: { secrets: whsec_c2lnbmluZyBzZWNyZXQgb2YgYSB0ZXN0 }\n`,
    'b.yaml:4:21: webhook.secrets: must be a list; write it in brackets, such as [one, another]',
  ],
  [
    `${smallest}webhook: { secrets: [changeme] }\n`,
    'b.yaml:4:22: webhook.secrets[0]: is a placeholder and no secret; copy the whole secret that the service showed when the subscription was made, or make a new one',
  ],
  [
    `${smallest}webhook: { secrets: [whsec_short] }\n`,
    'b.yaml:4:22: webhook.secrets[0]: has fewer than 16 bytes, whsec_ not counted; copy the whole secret that the service showed when the subscription was made, or make a new one',
  ],
  [
    `${smallest}webhook: { signature: sha256 }\n`,
    'b.yaml:4:23: webhook.signature: write auto, or keys of its own: hash (sha256, sha512, sha384, sha1), encoding (hex, base64, base64url), key (whole, without-prefix, base64-decoded)',
  ],
  [
    `${smallest}webhook: { signature: { hash: md5 } }\n`,
    'b.yaml:4:23: webhook.signature: write auto, or keys of its own: hash (sha256, sha512, sha384, sha1), encoding (hex, base64, base64url), key (whole, without-prefix, base64-decoded)',
  ],
  [
    `${smallest}webhook: { secret: abc }\n`,
    'b.yaml:4:12: webhook.secret: there is no such key (is secrets meant?); there are path, publicUrl, secrets, signature',
  ],
  [
    `${smallest}monitor: { baseUrl: m.example, apiKey: k }\n`,
    'b.yaml:4:21: monitor.baseUrl: is not an address; write one such as https://monitor.example/v1',
  ],
  [
    `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: "" }\n`,
    'b.yaml:4:53: monitor.apiKey: is empty; is the variable that it comes from set?',
  ],
  [
    `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: 12345 }\n`,
    'b.yaml:4:53: monitor.apiKey: must be text; put it in quotes',
  ],
  [
    `${smallest}monitor: { apiKey: k }\n`,
    'b.yaml:4:10: monitor.baseUrl: is missing; write one such as https://monitor.example/v1',
  ],
  [
    `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: k, rates: percentage }\n`,
    'b.yaml:4:63: monitor.rates: must be one of auto, fraction, percent',
  ],
  [
    `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: k, tier: 5 }\n`,
    'b.yaml:4:62: monitor.tier: must be a whole number from 20 to 10000000',
  ],
  [
    `${smallest}monitor: https://m.example/v1\n`,
    'b.yaml:4:10: monitor: must have keys of its own, indented below it: baseUrl, apiKey, oauth, tier, rates, name',
  ],
  ['channels: desk\n', 'b.yaml:1:11: channels: must be a list; write it in brackets, such as [one, another]'],
  ['channels: []\n', 'b.yaml:1:11: channels: is an empty list; name at least one channel'],
  [
    'channels:\n  name: desk\n  type: console\n',
    'b.yaml:2:3: channels: must be a list: begin each of its entries with a hyphen',
  ],
  [
    'channels:\n  - desk\n',
    'b.yaml:2:5: channels[0]: must have keys of its own, indented below it: name, models, events, categories, minDelta, direction, timeZone, ' +
      'language, quiet, digest, stories, escalate, fixed, statusReport, type, to, webhookUrl, mentions, pictures, as, secret, allowPrivate',
  ],
  [
    'channels:\n  - { name: AI Desk, type: console }\n',
    'b.yaml:2:13: channels[0].name: must be lower-case letters, digits and hyphens, such as ai-desk',
  ],
  [
    `channels:\n  - { name: ${'a'.repeat(64)}, type: console }\n`,
    'b.yaml:2:13: channels[0].name: is too long; write 63 characters at most',
  ],
  [
    'channels:\n  - { name: "", type: console }\n',
    'b.yaml:2:13: channels[0].name: must be lower-case letters, digits and hyphens, such as ai-desk',
  ],
  [
    'channels:\n  - { name: 5, type: console }\n',
    'b.yaml:2:13: channels[0].name: must be text; put it in quotes',
  ],
  [
    `${smallest}console: { listen: { port: sever } }\n`,
    'b.yaml:4:28: console.listen.port: write a whole number from 0 to 65535, or server',
  ],
  [
    `${smallest}console:\n  listen: { port: server, host: 0.0.0.0 }\n`,
    'b.yaml:5:19: console.listen.port: can be reached from other machines, and nobody has to sign in; write console.users, console.oidc or console.proxy, or another port here\n' +
      'b.yaml:5:19: console.listen.port: server shares the listener of deliveries, behind a proxy; write the networks of the proxy under server.trustProxy\n' +
      'b.yaml:5:33: console.listen.host: is that of server here; leave it out\n' +
      'b.yaml:5:3: console.publicUrl: is missing: it says below which path of server the console is',
  ],
  [
    `${smallest}server: { trustProxy: [] }\n`,
    'b.yaml:4:23: server.trustProxy: is an empty list; leave the key out if there is no proxy',
  ],
  [
    `${smallest}server: { trustProxy: [0.0.0.0/0, "::ffff:10.0.0.0/104"] }\n`,
    'b.yaml:4:24: server.trustProxy[0]: is everybody; write the network of the proxy, such as 10.0.0.0/8\n' +
      'b.yaml:4:35: server.trustProxy[1]: is IPv4 as IPv6; write it as IPv4, such as 10.0.0.0/8',
  ],
  [
    `${smallest}server: { trustProxy: [10.0.0.0/8], basePath: /bp }\nconsole:\n  listen: { port: server }\n  publicUrl: https://desk.example/bp/unsubscribe\n  proxy: { header: X-User, from: [10.0.0.0/8], roles: {} }\n`,
    'b.yaml:7:14: console.publicUrl: has the path of something else, /bp/unsubscribe; write another',
  ],
  [
    `${smallest}console: { listen: { port: 8080 } }\n`,
    'b.yaml:4:28: console.listen.port: is that of server too; write another one, or server to share it behind a proxy',
  ],
  [
    `${smallest}server: { trustProxy: [10.0.0.1] }\n`,
    'b.yaml:4:24: server.trustProxy[0]: is not a network; write one such as 10.0.0.0/8 or 127.0.0.1/32',
  ],
  ['channels:\n  - { type: console }\n', 'b.yaml:2:5: channels[0].name: is missing'],
  [
    `${smallest}    categories: political\n`,
    'b.yaml:4:17: channels[0].categories: must be a list; write it in brackets, such as [one, another]',
  ],
  [
    `${smallest}    categories: []\n`,
    'b.yaml:4:17: channels[0].categories: is an empty list, so nothing would pass; leave the key out to get everything',
  ],
  [
    `${smallest}    timeZone: CET+1\n`,
    'b.yaml:4:15: channels[0].timeZone: is not a time zone; write one such as Europe/Berlin or UTC',
  ],
  [
    `${smallest}    timezone: UTC\n`,
    'b.yaml:4:5: channels[0].timezone: there is no such key (is timeZone meant?); there are name, models, events, categories, minDelta, direction, timeZone, language, quiet, digest, stories, escalate, fixed, statusReport, type, as',
  ],
  [
    `${smallest}    model: [claude]\n`,
    'b.yaml:4:5: channels[0].model: there is no such key (is models meant?); there are name, models, events, categories, minDelta, direction, timeZone, language, quiet, digest, stories, escalate, fixed, statusReport, type, as',
  ],
  [
    `${smallest}    events: [spike]\n`,
    'b.yaml:4:14: channels[0].events[0]: spike is not one of policy_change, censorship_spike, version_change',
  ],
  [
    `${smallest}    models: [Claude]\n`,
    'b.yaml:4:14: channels[0].models[0]: Claude is not one of chatgpt, claude, gemini, mistral, qwen',
  ],
  [
    `${smallest}    models: [gpt-4]\n`,
    'b.yaml:4:14: channels[0].models[0]: gpt-4 is not one of chatgpt, claude, gemini, mistral, qwen',
  ],
  [
    '- name: desk\n',
    'b.yaml:1:1: must have keys of its own, indented below it: monitor, webhook, polling, server, store, retention, figures, copies, log, slack, discord, email, chat, console, operators, heartbeat, channels',
  ],
  [
    'just text\n',
    'b.yaml:1:1: must have keys of its own, indented below it: monitor, webhook, polling, server, store, retention, figures, copies, log, slack, discord, email, chat, console, operators, heartbeat, channels',
  ],
  ['', 'b.yaml: channels: is missing'],
  ['channels: null\n', 'b.yaml:1:11: channels: is empty; write something below it, or leave the key out'],
  [
    'channel:\n  - name: desk\n    type: console\n',
    'b.yaml:1:1: channels: is missing\nb.yaml:1:1: channel: there is no such key (is channels meant?); ' +
      'there are monitor, webhook, polling, server, store, retention, figures, copies, log, slack, discord, email, chat, console, operators, heartbeat, channels',
  ],
  [
    `slack: { token: %abc }\n${smallest}`,
    'b.yaml:1:17: is not YAML: this begins with @, ` or %; put it in quotes',
  ],
  [
    `slack: { token: @abc }\n${smallest}`,
    'b.yaml:1:17: is not YAML: this begins with @, ` or %; put it in quotes',
  ],
  [
    `slack: { token: \`abc\` }\n${smallest}`,
    'b.yaml:1:17: is not YAML: this begins with @, ` or %; put it in quotes',
  ],
  [
    `${smallest}slack: { token: "\${SLACK TOKEN}" }\n`,
    `b.yaml:4:17: \${SLACK TOKEN} is not \${NAME}, \${NAME:-default} or \${file:/path}`,
  ],
  [
    `${smallest}slack: { token: "$SLACK_TOKEN" }\n`,
    `b.yaml:4:17: $SLACK_TOKEN is no variable as it stands; write \${SLACK_TOKEN}`,
  ],
  [
    `${smallest}slack: { token: "\${file:/etc/shadow2}" }\n`,
    'b.yaml:4:17: the file /etc/shadow2 is not there',
  ],
  [
    `${smallest}slack: { token: "\${file:/etc}" }\n`,
    'b.yaml:4:17: the file /etc is a folder; name the file in it',
  ],
]

describe('a typical mistake is answered with file, line, key and what to write instead', () => {
  test('each with the file, line and key, and what to write instead', () =>
    checkRows(mistakes, ([text, answer]) => {
      const message = complaint(() => parseConfigFile(text, 'b.yaml', {}).compose({}))
      expect(message).toBe(answer)
      expect(message).not.toMatch(/Invalid|expected|discriminator|too small|too big/i)
    }))

  test('of a file that is not there, may not be read, or is a folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bluepencil-'))
    const file = join(folder, 'b.yaml')
    expect(complaint(() => readConfigFile(file, {}).compose({}))).toBe(
      `${file}: does not exist; make one with npx bluepencil init, or name your file with --config`,
    )
    expect(complaint(() => readConfigFile(folder, {}).compose({}))).toBe(
      `${folder}: is a folder; name the file in it with --config`,
    )
    writeFileSync(file, smallest)
    chmodSync(file, 0)
    // Root may read everything.
    if (process.getuid?.() === 0) return
    expect(complaint(() => readConfigFile(file, {}).compose({}))).toBe(
      `${file}: cannot be read by this user; change its owner or mode (chown, chmod)`,
    )
  })
})
