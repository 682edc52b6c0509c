import { describe, expect, test } from 'vitest';
import { fileNameOf, MAX_TOOL_SIZE, parseToolPath, printTool } from '../../../../src/host/tools/tool-text';
import { parseTool } from '../../../../src/session/document/parse-tool';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { fc } from '../../../support/arbitrary/properties';

const TOOL = { name: 'a', description: 'b', parameters: {}, offered: true, mocks: [] };

describe('printTool', () => {
  test('can be parsed into the same tool', () => {
    const tool = { ...TOOL, offered: false, mocks: [{ error: 'no' }] };
    expect(parseTool(printTool(tool) ?? '').value).toEqual(tool);
  });

  test('leaves out defaults', () => {
    expect(printTool(TOOL)).not.toMatch(/offered|mocks/);
  });

  test('distinguishes a reference without mocks from one that uses those of its library', () => {
    expect(printTool({ $ref: 'user#/a', offered: true, mocks: [] })).toContain('"mocks": []');
    expect(printTool({ $ref: 'user#/a', offered: true })).not.toContain('mocks');
  });

  test('writes no indentation if the text would be too long, and returns nothing if it still is', () => {
    const many = JSON.parse(`${'['.repeat(1_000)}${'[],'.repeat(5_000)}[]${']'.repeat(1_000)}`) as unknown;
    const compact = printTool({ ...TOOL, parameters: { enum: many } });
    expect(compact).not.toContain('\n');
    const long = { enum: ['x'.repeat(MAX_TOOL_SIZE)] };
    expect(printTool({ ...TOOL, parameters: long })).toBeUndefined();
  });
});

describe('the URI of a tool', () => {
  test('has a name that is valid in any file system', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (name) => {
        const fileName = fileNameOf(name);
        const path = `/0123456789abcdef/7/${fileName}`;
        expect(fileName).toMatch(/^[\p{L}\p{N}_.-]{1,60}\.playground-tool\.json$/u);
        expect(parseToolPath(path)).toEqual({ session: '0123456789abcdef', number: 7, fileName });
      }),
    );
  });

  test.each(['/x', '/0123456789abcdef/01', '/0123456789abcdef/1/a.json', '/0123456789abcdef/1/a/b', 'a'])(
    'is not %s',
    (path) => {
      expect(parseToolPath(path)).toBeUndefined();
    },
  );
});
