import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const CALL = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';

const rescue = (text: string) => rescueToolCalls(text, TOOLS);

describe('jsonFence', () => {
  it.each(['```', '```json', '```JSON', '~~~', '````json', '```tool', '```tool_call', '```python'])(
    'reads %s',
    (opening) => {
      const closing = opening.replace(/[a-z_]+$/i, '');
      const { calls, content } = rescue(`Here:\n${opening}\n${CALL}\n${closing}\n`);
      expect(calls).toMatchObject([{ format: 'json-fence', name: 'get_weather', repairs: [] }]);
      expect(content).toBe('Here:');
    },
  );

  it('distinguishes a label that is used only for calls from other labels', () => {
    expect(rescue(`\`\`\`tool_call\n${CALL}\n\`\`\`\nWaiting.`).calls).toMatchObject([{ evidence: 'label' }]);
    expect(rescue(`\`\`\`json\n${CALL}\n\`\`\`\nWaiting.`)).toMatchObject({
      calls: [],
      rejected: [{ reason: 'example' }],
    });
    expect(rescue(`\`\`\`json\n${CALL}\n\`\`\``).calls).toMatchObject([{ evidence: 'shape' }]);
  });

  it('ends a fence after its JSON, not at a fence inside a string', () => {
    const value = '# Demo\n```sh\nnpm i\n```\n';
    const raw = `{"name": "get_weather", "arguments": {"city": "${value}"}}`;
    expect(rescue(`\`\`\`json\n${raw}\n\`\`\``).calls).toMatchObject([{ arguments: { city: value } }]);
  });

  it('requires the JSON to be the whole content of the fence', () => {
    expect(rescue(`\`\`\`\n$ run\n${CALL}\n\`\`\``)).toMatchObject({
      calls: [],
      rejected: [{ reason: 'example' }],
    });
    expect(rescue(`\`\`\`\n${CALL}\n$ run\n\`\`\``).calls).toEqual([]);
  });

  it('does not treat backticks within a line as a fence', () => {
    expect(rescue(`Write \`\`\`${CALL}\`\`\``)).toMatchObject({
      calls: [],
      rejected: [{ reason: 'example' }],
    });
  });

  it('ignores JSON that is not a call', () => {
    expect(rescue('```json\n{"city": "Ghent", "rain": [1, 2\n```').rejected).toEqual([]);
  });

  it('reports a call in a fence as cut', () => {
    const text = '```json\n{"name": "get_weather", "arguments": {"city": "Gh';
    expect(rescue(text)).toMatchObject({
      calls: [],
      rejected: [{ format: 'json-fence', reason: 'truncated' }],
    });
  });
});
