// The elements with which many models write calls, `<function=…>` and `<invoke name=…>`, in any wrapper. Shared by formats
// that differ only in wrapper, namespace and spelling.
import { createAngleSpelling, locateByNamespace } from '../pairs/tags/angle-spelling';
import type { AngleOptions } from '../pairs/tags/angle-spelling';
import type { PairSpelling } from '../pairs/tags/spelling';
import type { TagRole } from '../pairs/tags/tag';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import type { WrittenCall } from '../core/rescue-format';

const ELEMENT_ROLES: Readonly<Record<string, TagRole>> = {
  tool_call: 'wrapper',
  tool_calls: 'wrapper',
  function_calls: 'wrapper',
  dots_function_call: 'wrapper',
  functions: 'wrapper',
  toolcall: 'wrapper',
  function: 'call',
  invoke: 'call',
  tool_name: 'call-name',
  parameters: 'group',
  params: 'group',
  arguments: 'group',
  parameter: 'parameter',
  param: 'parameter',
};

export const ELEMENTS: AngleOptions = { roles: ELEMENT_ROLES, locate: locateByNamespace };

const FUNCTION = { callNames: ['function', 'invoke'], parameterName: 'parameter', breaks: 'each' } as const;

/** `<function=…>` with its parameters, in any wrapper. */
export const FUNCTION_SPELLING = createAngleSpelling(
  { ...ELEMENTS, roles: { ...ELEMENT_ROLES, function_name: 'call-name' } },
  FUNCTION,
);

/** The same with the words that small models write instead of `function` inside a tag for calls. */
export const ALIAS_SPELLING = createAngleSpelling(
  { ...ELEMENTS, roles: { ...ELEMENT_ROLES, call: 'call', tool: 'call', name: 'call-name' } },
  FUNCTION,
);

/** `<invoke name="…">`: the same tags, but values begin directly after the tag. */
export const INVOKE_SPELLING: PairSpelling = {
  ...FUNCTION_SPELLING,
  breaks: 'both',
  isOwnWrapper: ({ space, name }) => space !== '' || name.toLowerCase() === 'function_calls',
};

interface InvokeStyle {
  /** What every name of a tag begins with, such as a namespace. @default '' */
  space?: string;
  /** White space between the tags. @default a line break */
  gap?: string;
  /** Attributes of a parameter besides its name, with a blank before them. @default none */
  toAttributes?: (value: unknown) => string;
}

/** Writes a call as `<invoke name="…">`. */
export function writeInvoke(
  call: WrittenCall,
  { space = '', gap = '\n', toAttributes = () => '' }: InvokeStyle = {},
): string {
  const pairs = writePairs(
    call,
    (key, value) =>
      `<${space}parameter name="${key}"${toAttributes(value)}>${writeBlock(value)}</${space}parameter>${gap}`,
  );
  return `<${space}invoke name="${call.name}">${gap}${pairs}</${space}invoke>`;
}

/** Writes such calls on lines of their own in `wrapper`. */
export const writeWrapped = (calls: readonly WrittenCall[], wrapper: string, style?: InvokeStyle): string =>
  [`<${wrapper}>`, ...calls.map((call) => writeInvoke(call, style)), `</${wrapper}>`].join('\n');
