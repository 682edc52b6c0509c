// Says which servers reject a tool because of its name. Independent of the wire formats.
import { t } from '@vscode/l10n';
import { cutShort } from '../../inspect';

// OpenAI: ^[a-zA-Z0-9_-]{1,64}$ (its answer of status 400). Anthropic: the same up to 128 (its answer of status 400).
// Gemini: letters, digits, _ . : - up to 64, first a letter or _ (reference of FunctionDeclaration, its answer of status 400).
const STRICT_NAME = /^[\w-]*$/;
const GEMINI_NAME = /^[\w.:-]*$/;
const MOST = { openai: 64, anthropic: 128 } as const;

const NAMES: Readonly<Record<string, () => string>> = {
  ' ': () => t('a space'),
  '.': () => t('a dot'),
  ':': () => t('a colon'),
  '/': () => t('a slash'),
};

/** @returns one sentence; undefined when every server accepts the name. Local servers accept nearly any name */
export function toolNameProblem(name: string): string | undefined {
  if (name === '') return t('The tool has no name, and every server requires one.');
  const shown = cutShort(name);
  if (!STRICT_NAME.test(name)) {
    const found = describeCharacter(name);
    return GEMINI_NAME.test(name)
      ? t(
          'The name {0} has {1}, which OpenAI and Anthropic refuse: they allow a to z, A to Z, digits, _ and -.',
          shown,
          found,
        )
      : t(
          'The name {0} has {1}, which OpenAI, Anthropic and Gemini refuse: they allow a to z, A to Z, digits, _ and -.',
          shown,
          found,
        );
  }
  const { length } = name;
  if (length > MOST.anthropic) {
    return t(
      'The name {0} has {1} characters, which OpenAI, Gemini and Anthropic refuse: they allow at most {2} (Anthropic {3}).',
      shown,
      length,
      MOST.openai,
      MOST.anthropic,
    );
  }
  if (length > MOST.openai) {
    return t(
      'The name {0} has {1} characters, which OpenAI and Gemini refuse: they allow at most {2}.',
      shown,
      length,
      MOST.openai,
    );
  }
  if (/^[\d-]/.test(name)) {
    const found = name.startsWith('-') ? '-' : t('a digit');
    return t(
      'The name {0} begins with {1}, which Gemini refuses: it requires a letter or _ first.',
      shown,
      found,
    );
  }
  return undefined;
}

/** Describes the first character that is rejected. */
function describeCharacter(name: string): string {
  const character = /[^\w-]/u.exec(name)?.[0] ?? '';
  if (Object.hasOwn(NAMES, character)) return NAMES[character]?.() ?? character;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? t('the character {0}', character)
    : t('a character that cannot be printed');
}
