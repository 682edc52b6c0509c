import { describe, expect, test } from 'vitest';
import type { Finding, ToolType } from '../../../../src/types';
import { findingsOf } from '../../../support/diagnosis/diagnosis';
import { LIST, LOCAL_URL, toMadeTurn } from '../../../support/session/made-turns';
import { NATIVE } from '../../../support/session/turns';

const TOOLS: ToolType[] = ['bash', 'command', 'git.log', 'get_weather'].map((name) => ({
  name,
  parameters: {},
}));

const findingsAbout = (name: string, url?: string): Finding[] =>
  findingsOf(toMadeTurn({ native: [{ ...NATIVE, name }], ...(url !== undefined && { url }) }, TOOLS), {
    tools: TOOLS,
  });

describe('a finding about the name of a native call', () => {
  test.each([
    ['bash</arg_value>', 'bash'],
    ['bash<|channel|>commentary', 'bash'],
    ['<|channel|>commentary to=functions.bash', 'bash'],
    ['functions.bash:0', 'bash'],
    ['functions.bash', 'bash'],
    ['default_api.get_weather', 'get_weather'],
    ['get_weather:12', 'get_weather'],
    ['bash" />\n<parameter name="command">ls</parameter>', 'bash'],
    ['bash[ARGS]', 'bash'],
    ['[TOOL_CALLS]git.log', 'git.log'],
    ['bash{"command": "ls"}', 'bash'],
    ['bash(command="ls")', 'bash'],
    ['<\uFF5Ctool\u2581sep\uFF5C>bash', 'bash'],
    ['bash\n', 'bash'],
    [' bash', 'bash'],
  ])('takes %j for the fault of a parser, and names %s', (name, tool) => {
    for (const url of [undefined, LOCAL_URL]) {
      expect(findingsAbout(name, url)).toMatchObject([
        {
          cause: 'markup-in-name',
          what: expect.stringContaining(`beside \`${tool}\``),
          next: expect.not.stringContaining('rename'),
          evidence: [{ quote: name }, {}],
        },
      ]);
      expect(findingsAbout(name, url)[0]?.remedies).toBeUndefined();
    }
  });

  test.each([
    ['get_wether</arg_value>', ' The nearest tool is `get_weather`.'],
    ['functions.zzz:0', ''],
    ['<tool_call>', ''],
  ])('says of %j that no offered tool is in it', (name, nearest) => {
    expect(findingsAbout(name)).toMatchObject([
      { cause: 'markup-in-name', what: expect.stringMatching(/, and no offered tool\./) },
    ]);
    expect(findingsAbout(name)[0]?.what).toMatch(new RegExp(`no offered tool\\.${nearest}$`));
  });

  test.each([
    'bahs',
    'Bash',
    'bash_tool',
    'mcp__shell__bash',
    'shell.bash',
    'delete all',
    'functions.zzz',
    'zzz:0',
  ])('takes the clean name %j for a tool that is not offered', (name) => {
    expect(findingsAbout(name)).toMatchObject([{ cause: 'unknown-tool' }]);
  });
});

describe('a finding about a native call of a tool that was not offered', () => {
  const wrapper = (name: string, args: object): Finding[] =>
    findingsOf(toMadeTurn({ native: [{ ...NATIVE, name, arguments: args }] }, TOOLS), { tools: TOOLS });
  const uses = (...names: string[]) => ({
    tool_uses: names.map((name) => ({ recipient_name: `functions.${name}`, parameters: { zone: 'UTC' } })),
  });

  test.each([
    ['parallel', uses('bash', 'get_weather'), '`bash`, `get_weather`'],
    ['multi_tool_use.parallel', uses('bash', 'bash'), '`bash`'],
    ['multi_tool_use', { tool_calls: [{ name: 'bash', arguments: { a: 1 } }] }, '`bash`'],
  ])('says of %s which offered tools its arguments call', (name, args, tools) => {
    expect(wrapper(name, args)).toMatchObject([
      {
        cause: 'unknown-tool',
        what: expect.stringContaining(`(${tools})`),
        evidence: [{ quote: expect.stringContaining('bash') }],
        next: expect.not.stringContaining('rename'),
      },
    ]);
  });

  test.each([
    ['parallel', {}],
    ['parallel', { city: 'Oslo' }],
    ['parallel', uses('other')],
    [
      'multi_tool_use.parallel',
      { tools: [{ name: 'bash', parameters: { type: 'object', properties: {} } }] },
    ],
  ])('says of %s with %j only that it was not offered', (name, args) => {
    expect(wrapper(name, args)).toMatchObject([
      { cause: 'unknown-tool', what: expect.stringMatching(/not offered\.( The nearest|$)/) },
    ]);
  });
});

describe('a finding about text in place of a list', () => {
  const about = (via: string): string | undefined =>
    findingsOf(toMadeTurn({ native: [{ ...NATIVE, name: 'find_flights', arguments: { via } }] }, [LIST]), {
      tools: [LIST],
    })[0]?.what;

  test.each(['[{"old":"a\nb"}]', '[{\\"old\\":\\"a\\"}]', "['Oslo', 'Bergen']", ' ["a"]\n'])(
    'sees the list in %j',
    (via) => {
      expect(about(via)).toContain('was encoded as a string once too often');
    },
  );

  test.each(['[draft] Oslo [v2]', '["a"] and ["b"]', '{"a": 1}', 'Oslo'])('sees none in %j', (via) => {
    expect(about(via)).toContain('The model wrote text where a list belongs.');
  });
});

describe('a finding about the names of parameters', () => {
  const tools: ToolType[] = [{ name: 'bash', parameters: { properties: { '<a>': {} }, required: ['file'] } }];
  const findingsFor = (args: string): Finding[] =>
    findingsOf(toMadeTurn({ native: [{ ...NATIVE, name: 'bash', arguments: JSON.parse(args) }] }, tools), {
      tools,
    });

  test.each(['{"file<arg_key": "page</arg_key><arg_value>5"}', '{"file</arg_key>": "a"}'])(
    'takes the markup in %s for the fault of a parser',
    (args) => {
      expect(findingsFor(args)).toMatchObject([
        { cause: 'markup-in-name', next: expect.stringMatching(/^The parser of the server/) },
      ]);
    },
  );

  test.each(['{"file": "x", "<a>": 1}', '{"file": "a <b> c"}', '{"a < b": 1}'])(
    'finds none in %s',
    (args) => {
      expect(findingsFor(args).map(({ cause }) => cause)).not.toContain('markup-in-name');
    },
  );
});
