// The tools for agents in the real extension host, as the editor's chat and other extensions invoke them.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const REPLY = 'I look.\n<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo",}}</tool_call>';

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(`provider_playground_${name}`, {
    input,
    toolInvocationToken: undefined,
  });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('the tools for agents', () => {
  it('are offered with a description and a schema', () => {
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith('provider_playground_'));
    assert.deepEqual(ours.map(({ name }) => name).toSorted(), [
      'provider_playground_evaluate_file',
      'provider_playground_explain_run',
      'provider_playground_read_reply',
    ]);
    for (const { description, inputSchema } of ours) assert.ok(description.length > 100 && inputSchema);
  });

  it('read the calls in a reply', async () => {
    const told = await invoke('read_reply', { text: REPLY });
    assert.match(told, /✓ get_weather \{"city":"Oslo"\}/);
    assert.match(told, /repaired: trailing-comma/);
  });

  it('evaluate a file of the workspace on the demo, explain its runs, and say what is wrong with a file', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'agent.playground.json');
    const document = {
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      lanes: [{ id: 'a', connection: 'demo', model: 'first-look' }],
      evaluate: { repeat: 2 },
      expect: [{ text: { contains: 'surely not in there' } }],
    };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(document)));
    try {
      const told = await invoke('evaluate_file', { file: 'agent.playground.json' });
      assert.match(told, /# Evaluation of/);
      assert.match(told, /Failing cases/);
      await assert.rejects(invoke('evaluate_file', { file: 'none.playground.json' }), /no playground file/);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });

  it('say which run there is not', async () => {
    await assert.rejects(invoke('explain_run', { run: 'nonsense' }), /no stored run/);
  });
});
