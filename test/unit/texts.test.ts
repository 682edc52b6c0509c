// The texts that a person reads: each goes through `t`, and the bundle for translations contains all of them.
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../support/texts/source-files';
import { textsInCode } from '../support/texts/texts-in-code';

const LAYERS = [
  'src/inspect',
  'src/session',
  'src/connections',
  'src/recording',
  'src/protocol',
  'src/host',
  'src/cli',
  'webview',
];

/** Files and folders whose texts are not translated. */
const UNTRANSLATED = [
  // names of characters in Unicode
  'webview/text/text-marks.ts',
  // texts written by a model
  'webview/lab/example.ts',
  // prompts of a new playground, and what a model gets instead of a result
  'webview/lanes/embedding-form.ts',
  'src/session/document/new-playground.ts',
  'src/session/tools/pick-mock.ts',
  // code in other languages, and markup of a page
  'src/inspect/copy/',
  'src/session/open-request/texts/',
  'src/inspect/export/export-document.ts',
  'src/cli/reporters/junit.ts',
  // text that is compared line by line, in any language
  'src/inspect/normal-form.ts',
  'src/session/run/record/compare-runs.ts',
  // texts for the developers of a server or provider
  'src/inspect/export/report.ts',
  'src/host/connections-view/library-code.ts',
  'src/connections/custom-providers/refuse-imports.ts',
  'src/host/playground/panel-html.ts',
  // product names
  'src/host/connections-view/wizard/presets.ts',
  // texts as sent over the wire
  'src/host/wire/wire-text.ts',
  'src/connections/diagnose/network-probes.ts',
  // kinds of values, which are also keys
  'src/connections/custom-providers/check-description.ts',
  // texts for the log
  'src/session/store/',
  'src/session/run/retry-log.ts',
  // descriptions in the JSON schemas of playground and lab files, each of which is packed as one file
  'src/protocol/document/document.ts',
  'src/protocol/document/evaluate-schema.ts',
  'src/protocol/lab/lab.ts',
];

/** Texts for the log or for developers, and words that a program reads. */
const INTERNAL = new Set([
  'The call is no longer part of the conversation.',
  'A chat came to an end without a record.',
  'the lane is gone',
  'chatIn was not called',
  'lane {} is not open',
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
  'nothing was judged yet',
  'nothing to merge',
  'keys cannot be stored here',
  'an evaluation runs no tools of the editor',
  '{} {} --help',
  'keep both',
  'left out',
  'Connection',
  'Way to the server',
  'Server',
  'Model',
  'Protocols',
  'Playground',
]);

/** Names of keys, products, formats and fields. */
const NAMES = new Set(
  'Enter|Escape|Ctrl|Mac|Ollama|LM Studio|Provider Playground|Provider Playground {}|Demo (local protocol)|Demo (hosted protocol)|Demo (Messages protocol)|Demo (Responses protocol)|Markdown|RawAssistant|content|toolCalls|finishReason|model|attempts|reasoning|usage|costUsd'.split(
    '|',
  ),
);

/** Texts for a model. */
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
  /^Error: \{\}$/,
];

/** Class names, selectors and keys that a program reads. */
const CODE =
  /^(?:(?:PROVIDER_PLAYGROUND_KEYS='[^']*' |pbpaste \| )?provider-playground .*|[a-z]+-[a-z-]+ [a-z]+|[a-z]+ is-[a-z]+|o-\{\} o-icon|[.[].*|run pinned|(?:connection|tool|paused|asked|model|reason|misplaced|found|more|run|evaluations) \{\}(?: \{\})?)$/;

const codes = LAYERS.flatMap((layer) => filesUnder(layer, '.ts'))
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => ({ file, ...textsInCode(file) }));
const translated = codes.flatMap((code) => code.translated);

/** The places in a text: 0 and 1 for `{0} of {1}`. */
const placesOf = (text: string): number[] =>
  [...new Set([...text.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place)))].toSorted((a, b) => a - b);

describe('the bundle of texts', () => {
  test('contains exactly the texts that are given to `t`; `npm run texts` updates it', async () => {
    // Sorted by text, so that two changes conflict only if they concern the same text.
    const texts = [...new Set(translated.flatMap(({ text = [] }) => text))].toSorted();
    expect(texts.length).toBeGreaterThan(100);
    const bundle = JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2);
    await expect(`${bundle}\n`).toMatchFileSnapshot('../../l10n/bundle.l10n.json');
  });
});

describe('a text that is given to `t`', () => {
  test('is a complete literal', () => {
    expect(translated.filter(({ text }) => text === undefined).map(({ where }) => where)).toEqual([]);
  });

  test('is evaluated when it is shown, because there is no translation yet while a module loads', () => {
    expect(translated.filter(({ isEarly }) => isEarly).map(({ where }) => where)).toEqual([]);
  });

  test('has a place for each value, numbered from 0', () => {
    const wrong = translated.filter(({ text = '', values }) => {
      const places = placesOf(text);
      const isCounted = places.every((place, index) => place === index);
      // Without values, its places are filled later.
      return !isCounted || (values > 0 && values !== places.length);
    });
    expect(wrong.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
  });

  test('is not part of another text: it neither begins nor ends with a blank, a comma or a semicolon', () => {
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

  test('is excluded from translation only in files that contain such a text', () => {
    const bypassing = codes.filter(({ bypasses }) => bypasses.length > 0).map(({ file }) => file);
    const unused = UNTRANSLATED.filter((path) => !bypassing.some((file) => file.startsWith(path)));
    expect(unused).toEqual([]);
  });
});
