// Calls of Cohere Command R and R+: `Action:` and a code fence with a list of calls, each with a `tool_name`.
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

/** A list whose first object does not begin with `action`, as calls of agents do, or a single call with `tool_name`. */
const COHERE = /^(?:\[(?!\s{0,40}\{\s{0,40}["']action["'])|\{\s{0,40}["']tool_name["'])/;

const toEntry = ({ name, arguments: value }: WrittenCall): object => ({ tool_name: name, parameters: value });
