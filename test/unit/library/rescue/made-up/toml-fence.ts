// A format that hardly any model writes: `name` and `[arguments]` as TOML in a fence. One file, like every format.
import type { RescueContext } from '../../../../../src/library/rescue/core/rescue-context';
import type {
  FormatReading,
  RescueFormat,
  WrittenCall,
} from '../../../../../src/library/rescue/core/rescue-format';
import { CUT_HINT } from '../../../../../src/library/rescue/core/refusals';
import { readFenceOpening } from '../../../../../src/library/rescue/regions/fence';
import { startsLine } from '../../../../../src/library/rescue/regions/line-position';
import { findFenceClose } from '../../../../../src/library/rescue/yaml/yaml-close';

const INFO_STRING = 'toml';
const PAIR = /^([\w-]{1,64}) ?= ?(.+)$/;

export const tomlFence: RescueFormat = {
  id: 'made-up-toml',
  title: 'TOML with `name` and `[arguments]`',
  openers: ['```toml', '~~~toml'],
  infoStrings: [INFO_STRING],
  evidence: 'shape',
  parse(context, at) {
    const opening = startsLine(context, at) ? readFenceOpening(context.text, at) : undefined;
    if (opening?.infoString !== INFO_STRING) return null;
    const close = findFenceClose(context, opening.bodyStart, opening);
    const body = context.text.slice(opening.bodyStart, close.bodyEnd);
    return toReading(context, body, { start: at, end: close.end, isOpen: close.isOpen });
  },
  write: (calls) => calls.map(writeCall).join('\n'),
};

function toReading(
  { tools }: RescueContext,
  body: string,
  { start, end, isOpen }: { start: number; end: number; isOpen: boolean },
): FormatReading | null {
  const { name, value, isWhole } = readToml(body);
  if (name === '' || (!tools.resolve(name) && value === undefined)) return null;
  if (isOpen || !isWhole) {
    const reason = isOpen ? 'truncated' : 'malformed';
    const detail = `The call of \`${name}\` is TOML that ends too early. Nothing was run.`;
    return { kind: 'rejection', start, end, name, reason, detail, hint: CUT_HINT };
  }
  const call = { name, arguments: value, start, end, repairs: [] };
  return { kind: 'calls', start, end, calls: [call], repairs: [], isOpen: false };
}

function readToml(body: string): {
  name: string;
  value: Record<string, unknown> | undefined;
  isWhole: boolean;
} {
  let name = '';
  let value: Record<string, unknown> | undefined;
  let isWhole = true;
  for (const line of body.split('\n').filter((item) => item.trim() !== '')) {
    const [, key = '', written = ''] = PAIR.exec(line) ?? [];
    const item = key === '' ? undefined : decode(written);
    if (line.trim() === '[arguments]') value = {};
    else if (key === 'name' && !value) name = String(item);
    else if (value && item !== undefined) value[key] = item;
    else isWhole = false;
  }
  return { name, value, isWhole };
}

function decode(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return undefined;
  }
}

const writeCall = ({ name, arguments: value }: WrittenCall): string =>
  [
    `\`\`\`${INFO_STRING}\nname = ${JSON.stringify(name)}\n[arguments]`,
    ...Object.entries(value).map(([key, item]) => `${key} = ${JSON.stringify(item)}`),
    '```',
  ].join('\n');
