import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)

/** Opens channels of these languages in a process of their own, and answers what it can say "Model" in. */
async function spokenBy(...spoken: string[]): Promise<string[]> {
  const script = [
    '',
    `    import { openChannels } from ${source('channels/registry.ts')}`,
    `    import { languages } from ${source('message/words/phrases.ts')}`,
    `    import { wordsOf } from ${source('message/words/words.ts')}`,
    `    const channels = ${JSON.stringify(spoken)}.map((language) => ({ name: language, type: 'console', as: 'plain', language }))`,
    '    await openChannels({ config: { channels }, out: { write() {}, width: 80, colour: false } })',
    "    const modelIn = (language) => { try { return wordsOf(language).say('model') } catch (error) { return error.message } }",
    '    console.log(JSON.stringify(languages.map(modelIn)))',
  ].join('\n')
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    script,
  ])
  return JSON.parse(stdout)
}

const notLoaded = (language: string) => `the words of the language ${language} are not loaded`

test('a process loads the languages of its channels, and no other', async () => {
  expect(await spokenBy('en')).toEqual(['Model', ...['de', 'fr', 'es', 'pt'].map(notLoaded)])
  expect(await spokenBy('fr', 'en', 'fr', 'pt')).toEqual([
    'Model',
    notLoaded('de'),
    'Modèle',
    notLoaded('es'),
    'Modelo',
  ])
})
