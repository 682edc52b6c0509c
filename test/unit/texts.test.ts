// The texts that a person reads: each goes through `t`, and the bundle that a translation starts from has them all.
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../support/source-files';
import { textsInCode } from '../support/texts-in-code';

const ANY: readonly string[] = [];
const LAYERS = ['src/inspect', 'src/session', 'src/protocol', 'src/host', 'webview'];

/** What is said as it is in every language, by file; the files whose texts are all such. */
const UNTRANSLATED: Readonly<Record<string, readonly string[]>> = {
  // names that Unicode gives its characters
  'webview/text/text-marks.ts': ANY,
  // what a model wrote
  'webview/lab/example.ts': ANY,
  // what the demo embeds
  'webview/lanes/embedding-form.ts': [
    'Snow is falling in Oslo.',
    'In Oslo, snow falls today.',
    'The invoice is due on Friday.',
  ],
};

/** Names of keys, of products, of formats and of what stands in the code. */
const NAMES = new Set(
  'Enter|Escape|Ctrl|Mac|Provider Playground|Markdown|RawAssistant|content|toolCalls|finishReason|model|attempts|reasoning|usage|costUsd'.split(
    '|',
  ),
);

/** Class names, selectors and keys that a program reads. */
const CODE =
  /^(?:[a-z]+-[a-z-]+ [a-z]+|[a-z]+ is-[a-z]+|o-\{\} o-icon|[.[].*|(?:connection|tool|paused|asked) \{\}(?: \{\})?)$/;

/** Whose texts are English yet. */
const NOT_YET = ['src/inspect', 'src/session', 'src/protocol', 'src/host'];

const codes = LAYERS.flatMap((layer) => filesUnder(layer, '.ts'))
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => ({ file, ...textsInCode(file) }));
const translated = codes.flatMap((code) => code.translated);

/** Such as `0` and `1` of `{0} of {1}`. */
const placesOf = (text: string): number[] =>
  [...new Set([...text.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place)))].toSorted((a, b) => a - b);

describe('the bundle of texts', () => {
  test('has every text that is given to `t`, and no other; `npm run texts` writes it anew', async () => {
    // in the order of the texts, so that two changes meet in one line only where they are about the same
    const texts = [...new Set(translated.flatMap(({ text = [] }) => text))].toSorted();
    expect(texts.length).toBeGreaterThan(100);
    const bundle = JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2);
    await expect(`${bundle}\n`).toMatchFileSnapshot('../../l10n/bundle.l10n.json');
  });
});

describe('a text that is given to `t`', () => {
  test('stands there whole', () => {
    expect(translated.filter(({ text }) => text === undefined).map(({ where }) => where)).toEqual([]);
  });

  test('is asked for when it is shown: while a module loads there is no translation yet', () => {
    expect(translated.filter(({ isEarly }) => isEarly).map(({ where }) => where)).toEqual([]);
  });

  test('has the places of the values that it is given, counted from 0', () => {
    const wrong = translated.filter(({ text = '', values }) => {
      const places = placesOf(text);
      const isCounted = places.every((place, index) => place === index);
      // without values it is a text whose places are filled afterwards
      return !isCounted || (values > 0 && values !== places.length);
    });
    expect(wrong.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
  });

  test('is no piece of another: it begins and ends with no blank, comma or semicolon', () => {
    const wrong = translated.filter(({ text = '' }) => /^[\s,;]|[\s,;]$/.test(text));
    expect(wrong.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
  });
});

describe('a text that a person reads', () => {
  test('goes through `t`', () => {
    const wrong = codes
      .filter(({ file }) => !NOT_YET.some((folder) => file.startsWith(folder)))
      .filter(({ file }) => UNTRANSLATED[file] !== ANY)
      .flatMap(({ file, bypasses }) =>
        bypasses.filter(
          ({ text }) => !NAMES.has(text) && !CODE.test(text) && !UNTRANSLATED[file]?.includes(text),
        ),
      );
    expect(wrong.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
  });

  test('is searched for in files that there are', () => {
    const files = new Set(codes.map(({ file }) => file));
    expect(Object.keys(UNTRANSLATED).filter((file) => !files.has(file))).toEqual([]);
  });
});
