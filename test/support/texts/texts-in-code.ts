// Finds in the source which texts are passed to `t`, and which look like user-visible texts but are not.
import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** A call of `t`. */
export interface Translated {
  where: string;
  /** Undefined if it is not a single literal. */
  text: string | undefined;
  /** Number of values passed along. */
  values: number;
  /** Whether it is called while its module is loaded, when the translation is not available yet. */
  isEarly: boolean;
}

/** A text that is not passed to `t`. */
export interface Bypass {
  where: string;
  text: string;
}

/** Two words, or a single one that begins like a sentence or a label. */
const WORDS = /\p{L}{2,}[,;:.'’…]?\s\p{L}|\p{L}\s\p{L}{2,}|^\p{Lu}\p{Ll}+[.…:]?$/u;
const SAID =
  /\s(?:aria-label|aria-description|aria-valuetext|title|placeholder|alt|label)="([^"\0]*\p{L}[^"]*)"/gu;
const TAG = /<[a-z!/](?:[^>"\0]|"[^"]*"|\0)*>/giu;
/** Functions whose arguments are not user-visible: lookups in a page, and logging. */
const LOOKUPS =
  /^(?:querySelector(?:All)?|closest|matches|getPropertyValue|setProperty|addEventListener|info|warn|debug|trace)$/;

export function textsInCode(file: string): { translated: Translated[]; bypasses: Bypass[] } {
  const source = readFileSync(file, 'utf8');
  const translated: Translated[] = [];
  const bypasses: Bypass[] = [];
  const where = ({ start }: Node): string => `${file}:${source.slice(0, start).split('\n').length}`;
  const found = (node: Node, text: string): void => void bypasses.push({ where: where(node), text });

  const visit = (value: unknown, isEarly: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, isEarly);
    if (!isNode(value) || isTypeOnly(value)) return;
    const rest = (): void => {
      for (const child of Object.values(value)) visit(child, isEarly && !isFunction(value));
    };
    switch (value.type) {
      case 'CallExpression': {
        const args = value['arguments'] as Node[];
        const name = calleeName(value['callee'] as Node);
        if (LOOKUPS.test(name)) return;
        if (name !== 't') return rest();
        translated.push({
          where: where(value),
          text: wholeText(args[0]),
          values: args.length - 1,
          isEarly,
        });
        return visit(args.slice(1), isEarly);
      }
      case 'TaggedTemplateExpression': {
        const { quasis, expressions } = value['quasi'] as TemplateParts;
        if (/^(?:html|svg)$/.test(String((value['tag'] as Node)['name']))) {
          for (const text of textsOfMarkup(quasis.map((quasi) => quasi.value.raw).join('\0')))
            found(value, text);
        }
        return visit(expressions, isEarly);
      }
      case 'TemplateLiteral': {
        const { quasis, expressions } = value as unknown as TemplateParts;
        const text = quasis.map((quasi) => quasi.value.cooked).join('{}');
        if (/\p{L}/u.test(text.replaceAll('{}', '')) && WORDS.test(text.replaceAll('{}', 'xx')))
          found(value, text);
        return visit(expressions, isEarly);
      }
      case 'Literal':
        if (typeof value['value'] === 'string' && WORDS.test(value['value'])) found(value, value['value']);
        return;
      default:
        return rest();
    }
  };
  visit(parseAst(source, { lang: 'ts' }).body, true);
  return { translated, bypasses };
}

interface TemplateParts {
  quasis: { value: { raw: string; cooked: string } }[];
  expressions: unknown[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const isFunction = ({ type }: Node): boolean => /Function/.test(type);

const isTypeOnly = ({ type }: Node): boolean =>
  /^(?:Import|ExportAll)/.test(type) ||
  (type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type));

function calleeName(callee: Node): string {
  return String((callee['property'] as Node | undefined)?.['name'] ?? callee['name']);
}

/** The first argument of `t` if it is a single literal. */
function wholeText(argument: Node | undefined): string | undefined {
  return argument?.type === 'Literal' && typeof argument['value'] === 'string'
    ? argument['value']
    : undefined;
}

function textsOfMarkup(markup: string): string[] {
  const said = [...markup.matchAll(SAID)].map(([, text = '']) => text);
  const between = markup
    .replaceAll(TAG, '\n')
    .split(/[\n\0]/)
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2,}/u.test(text));
  return [...said, ...between];
}
