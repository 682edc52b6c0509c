import { describe, expect, it } from 'vitest';
import type { DocumentLane, ToolView } from '../../../../src/protocol';
import type { Remedy } from '../../../../src/types';
import { changesSomething, describeRemedy } from '../../../../webview/lanes/remedies';
import { TOOL, toPanel } from '../samples';

const sessionOf = (settings: Partial<DocumentLane>, tools: ToolView[] = [TOOL]) =>
  toPanel({ a: { settings } }, { document: { tools } }).session;

describe('describeRemedy', () => {
  it.each<[Remedy, again: string, alone: string]>([
    [{ kind: 'rescue-on' }, 'Send again with rescue on', 'Switch rescue on'],
    [{ kind: 'leave-out', key: 'topP' }, 'Send again without topP', 'Leave topP out'],
    [
      { kind: 'tool-choice', choice: 'required' },
      'Send again with tool choice required',
      'Set tool choice to required',
    ],
    [
      { kind: 'sampling', key: 'numCtx', value: 8192 },
      'Send again with context size 8192',
      'Set context size to 8192',
    ],
    [
      { kind: 'sampling', key: 'maxTokens', value: 1024 },
      'Send again with max tokens 1024',
      'Set max tokens to 1024',
    ],
    [
      { kind: 'sampling', key: 'temperature', value: 0 },
      'Send again with temperature 0',
      'Set temperature to 0',
    ],
    [
      { kind: 'raw', path: ['options', 'num_ctx'], value: 4096 },
      'Send again with options.num_ctx 4096 in raw',
      'Set options.num_ctx to 4096 in raw',
    ],
    [{ kind: 'raw', path: ['tools'] }, 'Send again without tools in raw', 'Remove tools from raw'],
    [
      { kind: 'connection', connectionId: 'o', label: 'Ollama' },
      'Send again by Ollama',
      'Use the connection Ollama',
    ],
    [
      { kind: 'connection', connectionId: 'o', label: 'Ollama', numCtx: 8192 },
      'Send again by Ollama with context size 8192',
      'Use the connection Ollama with context size 8192',
    ],
    [{ kind: 'offer-tool', tool: 'search' }, 'Send again with search offered', 'Offer search'],
    [{ kind: 'add-tool', tool: 'search' }, 'Add a tool search and send again', 'Add a tool search'],
    [{ kind: 'rename-tool', tool: 'a', to: 'b' }, 'Rename a to b and send again', 'Rename a to b'],
  ])('describes what %j does, and whether it sends a request', (remedy, again, alone) => {
    expect(describeRemedy(remedy, true)).toBe(again);
    expect(describeRemedy(remedy, false)).toBe(alone);
  });
});

describe('changesSomething', () => {
  const idle = { ...TOOL, name: 'search', isOffered: false };
  it.each<[Remedy, before: Partial<DocumentLane>, after: Partial<DocumentLane>]>([
    [{ kind: 'rescue-on' }, { rescueToolCalls: false }, {}],
    [{ kind: 'tool-choice', choice: 'required' }, {}, { toolChoice: 'required' }],
    [{ kind: 'leave-out', key: 'topP' }, { sampling: { topP: 0.9 } }, {}],
    [{ kind: 'sampling', key: 'numCtx', value: 8192 }, {}, { sampling: { numCtx: 8192 } }],
    [
      { kind: 'raw', path: ['options', 'num_ctx'], value: 4096 },
      { raw: { options: { num_ctx: 64 } } },
      { raw: { options: { num_ctx: 4096 } } },
    ],
    [{ kind: 'raw', path: ['tools'] }, { raw: { tools: [] } }, {}],
    [{ kind: 'connection', connectionId: 'hosted', label: 'H' }, {}, { connection: 'hosted' }],
  ])('is true for %j until the lane has this setting', (remedy, before, after) => {
    expect(changesSomething(remedy, sessionOf(before), 'a')).toBe(true);
    expect(changesSomething(remedy, sessionOf(after), 'a')).toBe(false);
    expect(changesSomething(remedy, sessionOf(before), 'gone')).toBe(false);
  });

  it('checks the existing tools', () => {
    const session = sessionOf({}, [TOOL, idle, { ...TOOL, name: 'shared', reference: 'user#/shared' }]);
    const open = (remedy: Remedy): boolean => changesSomething(remedy, session, 'a');
    expect(open({ kind: 'offer-tool', tool: 'search' })).toBe(true);
    expect(open({ kind: 'offer-tool', tool: 'get_weather' })).toBe(false);
    expect(open({ kind: 'add-tool', tool: 'forecast' })).toBe(true);
    expect(open({ kind: 'add-tool', tool: 'search' })).toBe(false);
    expect(open({ kind: 'rename-tool', tool: 'get_weather', to: 'weather' })).toBe(true);
    expect(open({ kind: 'rename-tool', tool: 'get_weather', to: 'search' })).toBe(false);
    expect(open({ kind: 'rename-tool', tool: 'shared', to: 'weather' })).toBe(false);
    expect(open({ kind: 'connection', connectionId: 'gone', label: 'G' })).toBe(false);
  });
});
