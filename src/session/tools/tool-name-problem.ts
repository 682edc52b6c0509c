// Which servers refuse a tool for its name. Knows no wire.
import { cutShort } from './json-words';

// OpenAI: ^[a-zA-Z0-9_-]{1,64}$ (its answer of status 400). Anthropic: the same up to 128 (its answer of status 400).
// Gemini: letters, digits, _ . : - up to 64, first a letter or _ (reference of FunctionDeclaration, its answer of status 400).
const STRICT_NAME = /^[\w-]*$/;
const GEMINI_NAME = /^[\w.:-]*$/;
const MOST = { openai: 64, anthropic: 128 } as const;

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '.': 'a dot',
  ':': 'a colon',
  '/': 'a slash',
};

/** @returns one sentence, undefined when every server takes the name; local servers take nearly any */
export function toolNameProblem(name: string): string | undefined {
  if (name === '') return 'The tool has no name, and no server takes one without.';
  const shown = cutShort(name);
  if (!STRICT_NAME.test(name)) {
    const servers = GEMINI_NAME.test(name)
      ? 'OpenAI and Anthropic refuse'
      : 'OpenAI, Anthropic and Gemini refuse';
    const found = describeCharacter(name);
    return `The name ${shown} has ${found}, which ${servers}: they take a to z, A to Z, digits, _ and -.`;
  }
  if (name.length > MOST.openai) {
    const servers = name.length > MOST.anthropic ? 'OpenAI, Gemini and Anthropic' : 'OpenAI and Gemini';
    const most = name.length > MOST.anthropic ? '64 (Anthropic 128)' : '64';
    return `The name ${shown} has ${name.length} characters, which ${servers} refuse: they take at most ${most}.`;
  }
  if (/^[\d-]/.test(name)) {
    const found = name.startsWith('-') ? '-' : 'a digit';
    return `The name ${shown} begins with ${found}, which Gemini refuses: it wants a letter or _ first.`;
  }
  return undefined;
}

/** The first character that is refused. */
function describeCharacter(name: string): string {
  const character = /[^\w-]/u.exec(name)?.[0] ?? '';
  if (Object.hasOwn(NAMES, character)) return NAMES[character] ?? character;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? `the character ${character}`
    : 'a character that is not printed';
}
