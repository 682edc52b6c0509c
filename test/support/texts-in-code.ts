// Reads from the code which texts are given to `t`, and which look as if a person read them and are not.
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
  /** Undefined where it is no text that stands there whole. */
  text: string | undefined;
  /** How many values it is given. */
  values: number;
  /** Called while its module is loaded, which is before the translation is there. */
  isEarly: boolean;
}

/** A text that does not go through `t`. */
export interface Bypass {
  where: string;
  text: string;
}

/** Two words, or one that begins as a sentence or a label does. */
const WORDS = /\p{L}{2,}[,;:.'’…]?\s\p{L}|\p{L}\s\p{L}{2,}|^\p{Lu}\p{Ll}+[.…:]?$/u;
const SAID =
  /\s(?:aria-label|aria-description|aria-valuetext|title|placeholder|alt|label)="([^"\0]*\p{L}[^"]*)"/gu;
const TAG = /<[a-z!/](?:[^>"\0]|"[^"]*"|\0)*>/giu;
/** What looks into a page is no text, nor what goes into a log. */
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

/** The first argument of `t`, where it is a text of one piece. */
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
