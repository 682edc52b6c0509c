// The texts that a person reads: each goes through `t`, and the bundle that a translation starts from has them all.
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../support/source-files';
import { textsInCode } from '../support/texts-in-code';

const LAYERS = ['src/inspect', 'src/session', 'src/protocol', 'src/host', 'webview'];

/** Files and folders whose texts no translation changes. */
const UNTRANSLATED = [
  // names that Unicode gives its characters
  'webview/text/text-marks.ts',
  // what a model wrote
  'webview/lab/example.ts',
  // what a new playground asks a model, and what the model is told in place of a result
  'webview/lanes/embedding-form.ts',
  'src/session/document/new-playground.ts',
  'src/session/tools/pick-mock.ts',
  // code in other languages, and a page's markup
  'src/inspect/copy/',
  'src/inspect/export/export-runs.ts',
  // what is compared line by line, whatever the language
  'src/inspect/normal-form.ts',
  'src/session/run/compare-runs.ts',
  // for the makers of a server
  'src/inspect/export/report.ts',
  'src/host/connections-view/library-code.ts',
  'src/host/custom-providers/refuse-imports.ts',
  'src/host/playground/panel-html.ts',
  // names of products
  'src/host/connections-view/presets.ts',
  // as it went over the wire
  'src/host/wire/wire-text.ts',
  'src/host/diagnose/network-probes.ts',
  // kinds of values, which are keys as well
  'src/host/custom-providers/check-description.ts',
  // for the log
  'src/session/store/',
  'src/session/run/retry-log.ts',
  // descriptions in the JSON schema of playground files, which is packed as one file
  'src/protocol/document.ts',
];

/** For the log, for those who mend the code, and words that a program reads. */
const INTERNAL = new Set([
  'The call is no longer part of the conversation.',
  'A chat came to an end without a record.',
  'the lane is gone',
  'too large to check',
  'dropped a malformed message: {}',
  'refused a request of an unknown method',
  'there is no such request',
  'This page asks for nothing like {}.',
  'refused a request, {}',
  'a message could not be posted: {}',
  'message cannot be checked',
  '{} is longer than {}',
  '{} should be {}',
  'of another kind',
  'HTTP {}\n{}',
  '{}\ncaused by {}',
  'begun anew',
  'the window closes',
  'registerProvider: extensionId has to be the id of an installed extension',
  'registerProvider: providers has to be a function that returns provider classes',
  'Basic {}',
  'ollama pull {}',
  '/{}/{} diagnosis.md',
  'Provider',
  'keep both',
  'left out',
  'Connection',
  'Way to the server',
  'Server',
  'Model',
  'Playground',
]);

/** Names of keys, of products, of formats and of what stands in the code. */
const NAMES = new Set(
  'Enter|Escape|Ctrl|Mac|Ollama|LM Studio|Provider Playground|Provider Playground {}|Demo (local protocol)|Demo (hosted protocol)|Markdown|RawAssistant|content|toolCalls|finishReason|model|attempts|reasoning|usage|costUsd'.split(
    '|',
  ),
);

/** What goes to a model. */
const FOR_MODELS = [
  /^Answer with the one word/,
  /^What is the weather in/,
  /^The weather in a city now$/,
  /^Name of the city$/,
  /^(?:Paris|Oslo|Hello)$/,
  /^There is a tool/,
  /^The tool \{\} is not run/,
  /^It was not confirmed\.$/,
  /^The tool has changed since/,
  /^The editor has no tool/,
  /The result goes on; only/,
];

/** Class names, selectors and keys that a program reads. */
const CODE =
  /^(?:[a-z]+-[a-z-]+ [a-z]+|[a-z]+ is-[a-z]+|o-\{\} o-icon|[.[].*|run pinned|(?:connection|tool|paused|asked|model|reason|misplaced|found|more|run) \{\}(?: \{\})?)$/;

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
      .filter(({ file }) => !UNTRANSLATED.some((path) => file.startsWith(path)))
      .flatMap(({ bypasses }) => bypasses)
      .filter(
        ({ text }) =>
          !NAMES.has(text) &&
          !INTERNAL.has(text) &&
          !CODE.test(text) &&
          !FOR_MODELS.some((pattern) => pattern.test(text)),
      );
    expect(wrong.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
  });

  test('is left out only where there is one', () => {
    const bypassing = codes.filter(({ bypasses }) => bypasses.length > 0).map(({ file }) => file);
    const unused = UNTRANSLATED.filter((path) => !bypassing.some((file) => file.startsWith(path)));
    expect(unused).toEqual([]);
  });
});
