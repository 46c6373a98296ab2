import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** As OWASP's Password Storage Cheat Sheet asks of scrypt; 32 MiB for each, and some 0.2 s. */
const cost = { ln: 15, r: 8, p: 3 }
const hashBytes = 32
const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{16,64})\$([\w+/]{22,88})$/
/** The least that NIST SP 800-63B-4 asks of a password that stands alone is 15; here tries are limited besides. */
export const shortestPassword = 12

/** A hash that costs more would let its owner stop the service. */
const most = { ln: 17, r: 16, p: 8 }

interface ParsedPasswordHash {
  ln: number
  r: number
  p: number
  salt: Buffer
  hash: Buffer
}

/** A hash in the form of the PHC (Password Hashing Competition), for `console.users`. */
export async function hashOf(password: string, { ln, r, p } = cost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, { ln, r, p, salt, hash: Buffer.alloc(hashBytes) })
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`
}

/** In constant time. One that is no hash is nobody's. */
export async function isPassword(password: string, hashed: string): Promise<boolean> {
  const parsed = parsedHash(hashed)
  if (parsed === undefined) return false
  return timingSafeEqual(await derive(password, parsed), parsed.hash)
}

/** Of nobody's password: a name that is not known takes as long as one that is. */
export const hashOfNobody = `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(hashBytes))}`

function parsedHash(text: string): ParsedPasswordHash | undefined {
  const [, ln, r, p, salt = '', hash = ''] = form.exec(text) ?? []
  const costs = { ln: Number(ln), r: Number(r), p: Number(p) }
  const isFit = costs.ln >= 14 && costs.ln <= most.ln && costs.r <= most.r && costs.p <= most.p
  if (!isFit || costs.r < 1 || costs.p < 1) return undefined
  return { ...costs, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

function derive(password: string, { ln, r, p, salt, hash }: ParsedPasswordHash): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 128 * 2 ** ln * r * 2 }
  return new Promise((resolve, reject) => {
    // The same letters, however they were typed.
    scrypt(password.normalize('NFKC'), salt, hash.length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
