// Streams in which a server sends the arguments of a call more than once.
import { expect, test } from 'vitest';
import { ToolCallDeltas } from '../../../../../src/library/wire/hosted-api/tool-call-deltas';
import { readNativeCalls } from '../../../../../src/library/wire/reply/native-calls';

type Row = [id: string | null, name: string | null, args: string];

/** The arguments of the calls made from pieces that all have the index 0. */
function argumentsOf(rows: readonly Row[]): unknown[] {
  const deltas = new ToolCallDeltas(['bash']);
  for (const [id, name, args] of rows) deltas.add({ index: 0, id, function: { name, arguments: args } });
  return readNativeCalls(deltas.toolCalls()).map((call) => call.arguments);
}

const LS = { command: 'ls' };

test.each<[string, Row[]]>([
  [
    'in a piece without a name',
    [
      ['a', 'bash', '{"command":'],
      [null, null, '"ls"}'],
      [null, null, '{"command":"ls"}'],
    ],
  ],
  [
    'in a piece with its id and name',
    [
      ['a', 'bash', '{"command":"ls"}'],
      ['a', 'bash', ' {"command":"ls"}\n'],
    ],
  ],
  [
    'as far as they go',
    [
      ['a', 'bash', '{"com'],
      [null, null, '{"command":"l'],
      [null, null, '{"command":"ls"}'],
    ],
  ],
  [
    'as far as they go, with the id and name',
    [
      ['a', 'bash', ''],
      ['a', 'bash', '{'],
      ['a', 'bash', '{"command":"ls"}'],
    ],
  ],
  [
    'after an empty object',
    [
      ['a', 'bash', '{}'],
      [null, '', '{"'],
      [null, '', 'command":"ls"}'],
    ],
  ],
])('arguments that come again %s are those of one call', (_, rows) => {
  expect(argumentsOf(rows)).toEqual([LS]);
});

test.each<[string, Row[], unknown[]]>([
  [
    'other arguments',
    [
      ['a', 'bash', '{"command":"ls"}'],
      ['a', 'bash', '{"command":"pwd"}'],
    ],
    [LS, { command: 'pwd' }],
  ],
  [
    'the same arguments under another id',
    [
      ['a', 'bash', '{"command":"ls"}'],
      ['b', 'bash', '{"command":"ls"}'],
    ],
    [LS, LS],
  ],
  [
    'an object in an object',
    [
      ['a', 'bash', '{"a":'],
      [null, null, '{"a":1}}'],
    ],
    [{ a: { a: 1 } }],
  ],
  [
    'a piece like the one before',
    [
      ['a', 'bash', '{"a":"'],
      [null, null, 'x'],
      [null, null, 'x'],
      [null, null, '"}'],
    ],
    [{ a: 'xx' }],
  ],
])('keeps %s', (_, rows, read) => {
  expect(argumentsOf(rows)).toEqual(read);
});
