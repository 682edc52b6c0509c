// The texts that a person reads: each goes through `t`, and the bundle that a translation starts from has them all.
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../support/source-files';
import { textsInCode } from '../support/texts-in-code';

const LAYERS = ['src/inspect', 'src/session', 'src/protocol', 'src/host', 'webview'];

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
