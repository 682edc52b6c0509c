// Generates replies from a seed: corpus cases damaged in several ways, calls in every format among all sorts of
// pieces, and random text. The formats are those of the registry.
import { formatToolCalls } from '../../src/library/rescue/format-tool-calls';
import { RESCUE_FORMATS } from '../../src/library/rescue/formats/index';
import type { ToolType } from '../../src/types';
import { createRandom } from '../support/arbitrary/random';
import type { Random } from '../support/arbitrary/random';
import { CORPUS, OWN_CORPUS, toolsOf } from '../unit/library/rescue/rescue-fixtures';

export interface RescueInput {
  text: string;
  tools: readonly ToolType[];
  /** Lengths of the chunks of a stream, used cyclically; empty for a reply that is not streamed. */
  chunks: readonly number[];
  finishReason?: string | undefined;
  /** Whether no two calls in it are equal. */
  isDistinct: boolean;
}

const CASES = [...CORPUS, ...OWN_CORPUS];
const TOOLS = [...toolsOf('weather'), ...toolsOf('data')];
const LONGEST_CASE = 400;
const MARKERS = RESCUE_FORMATS.flatMap(({ openers }) => openers);
const FORMATS = RESCUE_FORMATS.map(({ id }) => id);
const SIGNS =
  '{ } [ ] ( ) " \' ` ``` ~~~ : , ; = \\ “ // /* > < * \n \n\n \t # é 😀 \ud83d א null True 1 -0.5 __proto__ </s> <|im_end|>';
const WORDS =
  'get_weather city Oslo Action: Observation: name arguments to= call: assistant The answer is 12 . functions. <think> </think> [THINK] [/THINK] <tool_response> </tool_response> </tool_call> </parameter> </function>';
const PIECES = [...SIGNS.split(' '), ...WORDS.split(' '), ' ', '\n'];
const CHARACTERS = '{}[]()<>"\'`:,;=|/\\ \n\té😀_ab1';

/** The same seed yields the same input. */
export function makeInput(seed: number): RescueInput {
  const random = createRandom(seed);
  // Neighbouring seeds yield similar first values, so some are skipped.
  for (let round = 0; round < 4; round += 1) random.below(2);
  const item = random.pick(CASES);
  const isDamaged = random.chance(0.6);
  const text = isDamaged ? damage(random, item.text.slice(0, LONGEST_CASE)) : writeSoup(random);
  return {
    text,
    tools: isDamaged ? toolsOf(item.tools) : TOOLS,
    chunks: random.chance(0.25)
      ? Array.from({ length: 4 }, () => 1 + random.below(random.chance(0.3) ? 400 : 12))
      : [],
    isDistinct: !isDamaged,
    ...(random.chance(0.15) && { finishReason: 'length' }),
  };
}

function damage(random: Random, original: string): string {
  let text = original;
  const rounds = 1 + random.below(4);
  for (let round = 0; round < rounds; round += 1) text = damageOnce(random, text);
  return text;
}

function damageOnce(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const other = random.pick(CASES).text.slice(0, LONGEST_CASE);
  const ways: (() => string)[] = [
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + text.charAt(at) + text.slice(at),
    () => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
    () => text.slice(0, at) + random.pick(Array.from(CHARACTERS)) + text.slice(at),
    () => text.slice(0, at),
    () => text.slice(at),
    () => text.slice(0, at) + text.slice(at + random.below(30)),
    () => text.slice(0, at) + writePiece(random) + text.slice(at),
    () => `${text}${random.pick(['', '\n', '\n\n'])}${other}`,
    () => other.slice(0, random.below(other.length)) + text.slice(at),
    () => text + random.pick([' Done.', '\n\nThat is how it works.', '\n```', '</think>', '"', '}']),
    () => random.pick(['Sure.\n', '<think>', '> ', '```json\n', '`', '{"a": "', '\n']) + text,
    () => text.replaceAll('\n', random.pick(['\r\n', '', ' ', '\n> '])),
  ];
  return random.pick(ways)();
}

const writeSoup = (random: Random): string =>
  Array.from({ length: 1 + random.below(14) }, () => writePiece(random)).join('');

function writePiece(random: Random): string {
  const kind = random.below(10);
  if (kind < 4) return random.pick(PIECES);
  if (kind < 6) return random.pick(MARKERS);
  if (kind === 6)
    return Array.from({ length: random.below(12) }, () => random.pick(Array.from(CHARACTERS))).join('');
  const call = writeCall(random);
  return kind === 7 ? call.slice(random.below(call.length), random.below(call.length + 1)) : call;
}

/** Each call is unique, so a call that is found twice is the same call. */
function writeCall(random: Random): string {
  const city = `${random.pick(PIECES)}${random.below(1_000_000)}`;
  try {
    return formatToolCalls([{ name: 'get_weather', arguments: { city } }], random.pick(FORMATS));
  } catch {
    // Not every format can represent every text.
    return '';
  }
}
