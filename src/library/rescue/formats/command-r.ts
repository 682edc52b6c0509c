// Cohere Command R and R+: `Action:` and a list of calls with `tool_name` in a code fence.
import { ACTION_PATTERN } from '../candidates/start-patterns';
import { readActionJson } from '../labels/action-json';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

export const commandR: RescueFormat = {
  id: 'command-r',
  title: 'Command R: a fenced list after `Action:`',
  openers: [],
  noTools: ['directly-answer', 'directly_answer'],
  firstCharacters: ':：',
  startPattern: ACTION_PATTERN,
  leads: ['^Action', '^**Action'],
  evidence: 'label',
  parse: (context, at) => readActionJson(context, at, (head) => COHERE.test(head)),
  write: (calls) => `Action: \`\`\`json\n${writeJson(calls.map(toEntry))}\n\`\`\``,
};

/** A list of other calls than those of agents, or one call of its own. */
const COHERE = /^(?:\[(?!\s{0,40}\{\s{0,40}["']action["'])|\{\s{0,40}["']tool_name["'])/;

const toEntry = ({ name, arguments: value }: WrittenCall): object => ({ tool_name: name, parameters: value });
