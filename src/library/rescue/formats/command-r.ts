// Cohere Command R and R+: `Action:` and a list of calls with `tool_name` in a code fence.
import { ACTION_ANCHOR } from '../anchors';
import { readActionJson } from '../action-json';
import { LABEL_WORDS } from '../action-label';
import type { RescueFormat, WrittenCall } from '../rescue-format';
import { writeJson } from '../write-json';

export const commandR: RescueFormat = {
  id: 'command-r',
  title: 'Command R: a fenced list after `Action:`',
  openers: [],
  firstCharacters: ':：',
  anchor: ACTION_ANCHOR,
  needles: LABEL_WORDS,
  leads: ['^Action', '^**Action'],
  evidence: 'label',
  parse: (context, at) => readActionJson(context, at, (head) => COHERE.test(head)),
  write: (calls) => `Action: \`\`\`json\n${writeJson(calls.map(toEntry))}\n\`\`\``,
};

/** A list of other calls than those of agents, or one call of its own. */
const COHERE = /^(?:\[(?!\s{0,40}\{\s{0,40}["']action["'])|\{\s{0,40}["']tool_name["'])/;

const toEntry = ({ name, arguments: value }: WrittenCall): object => ({ tool_name: name, parameters: value });
