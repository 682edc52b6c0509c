// The elements that many models write calls with, `<function=…>` and `<invoke name=…>`, whatever is around them. Shared by
// the families of formats that differ in wrapper, namespace and spelling only.
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

/** With the words that small models write for `function` in a tag that says it is a call. */
export const ALIASES: AngleOptions = {
  roles: { ...ELEMENT_ROLES, call: 'call', tool: 'call', name: 'call-name' },
  locate: locateByNamespace,
};

/** `<function=…>` with its parameters, whatever is around it. */
export const FUNCTION_SPELLING: PairSpelling = {
  lead: '<',
  slash: '</',
  readTag: (source, at) => readAngleTag(source, at, ELEMENTS),
  isCloserCut: isAngleCloserCut,
  callNames: ['function', 'invoke'],
  breaks: 'each',
  hasBrokenHeads: true,
};

/** `<invoke name="…">`: the same tags, whose values begin where the tag ends. */
export const INVOKE_SPELLING: PairSpelling = {
  ...FUNCTION_SPELLING,
  breaks: 'both',
};
