// The elements with which many models write calls, `<function=…>` and `<invoke name=…>`, in any wrapper. Shared by formats
// that differ only in wrapper, namespace and spelling.
import { isAngleCloserCut, locateByNamespace, readAngleTag } from '../pairs/spelling';
import type { AngleOptions, PairSpelling } from '../pairs/spelling';
import type { TagRole } from '../pairs/tag';

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

/** The same elements, and the words that small models write instead of `function` inside a tag for calls. */
export const ALIASES: AngleOptions = {
  roles: { ...ELEMENT_ROLES, call: 'call', tool: 'call', name: 'call-name' },
  locate: locateByNamespace,
};

/** `<function=…>` with its parameters, in any wrapper. */
export const FUNCTION_SPELLING: PairSpelling = {
  lead: '<',
  slash: '</',
  readTag: (source, at) => readAngleTag(source, at, ELEMENTS),
  isCloserCut: isAngleCloserCut,
  callNames: ['function', 'invoke'],
  breaks: 'each',
  hasBrokenHeads: true,
};

/** `<invoke name="…">`: the same tags, but values begin directly after the tag. */
export const INVOKE_SPELLING: PairSpelling = {
  ...FUNCTION_SPELLING,
  breaks: 'both',
};
