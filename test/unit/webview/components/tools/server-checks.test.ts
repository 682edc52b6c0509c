import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ToolCheck } from '../../../../../src/protocol';
import type { ToolsPanel } from '../../../../../webview/components/tools/tools-panel';
import { findButton } from '../../../../../webview/focus/focus';
import { registerOnce } from '../../register-once';
import { FLIGHTS, openTools, WEATHER } from '../../tools/open-tools';

beforeAll(registerOnce);

/** Waits until requests are answered and drawn. */
async function settle(panel: ToolsPanel): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    await panel.updateComplete;
  }
}

const environment = { version: 1, connections: [], requestsLeaveFrom: 'this computer' };
const check: ToolCheck = {
  toolId: '0',
  server: 'llama-server',
  laneIds: ['a'],
  problems: ['A pattern that does not begin with `^` and end with `$`: `/properties/at/pattern`.'],
  isPartial: false,
  isReducible: true,
};

async function draw(checks: ToolCheck[], content: unknown = { tools: [WEATHER, FLIGHTS] }, isKnown = true) {
  const asked: string[] = [];
  const answer = { checks };
  const note = (what: string) => (params: unknown) => {
    asked.push(`${what} ${JSON.stringify(params)}`);
    return Promise.resolve(null);
  };
  const opened = await openTools(
    content,
    {},
    {
      ...(isKnown && { environment }),
      handlers: {
        'tool/check': () => {
          asked.push('check');
          return Promise.resolve(structuredClone(answer));
        },
        'tool/compare-reduced': note('compare'),
        'tool/use-reduced': note('use'),
      },
    },
  );
  const panel = document.createElement('pg-tools-panel') as ToolsPanel;
  panel.playground = opened.playground;
  document.body.append(panel);
  onTestFinished(() => panel.remove());
  await settle(panel);
  const text = (): string => panel.textContent.replace(/\s+/g, ' ');
  const press = async (name: string): Promise<void> => {
    findButton(panel, name)?.click();
    await settle(panel);
  };
  return { ...opened, asked, answer, panel, text, press };
}

describe('renderServerChecks', () => {
  it('is shown at the tool and in the list, with what to do', async () => {
    const { text, panel, press, asked } = await draw([check]);
    const shown = 'llama-server refuses this tool, and every request that offers it.';
    expect(text()).toContain(
      `${shown} A pattern that does not begin with ^ and end with $: /properties/at/pattern.`,
    );
    const rows = [...panel.querySelectorAll('.tool-row')].map((row) =>
      row.querySelector('.s-warning')?.getAttribute('title'),
    );
    expect(rows).toEqual([shown, undefined]);
    await press('Show the reduced form of get_weather for llama-server');
    await press('Use the reduced form of get_weather for llama-server');
    const place = JSON.stringify({ toolId: '0', server: 'llama-server' });
    expect(asked).toEqual(['check', `compare ${place}`, `use ${place}`]);
    panel.querySelectorAll<HTMLElement>('.tool-row')[1]?.click();
    await settle(panel);
    expect(panel.querySelector('.server-check')).toBeNull();
  });

  it('follows the document, and goes with the connection of the lane', async () => {
    const { panel, write, answer, asked } = await draw([check], { tools: [WEATHER] });
    answer.checks = [];
    write({ tools: [{ ...WEATHER, description: 'Other.' }] });
    await settle(panel);
    expect(panel.querySelector('.server-check')).toBeNull();
    answer.checks = [check];
    write({ tools: [WEATHER], lanes: [{ id: 'a', connection: 'other' }] });
    await settle(panel);
    expect(panel.querySelectorAll('.server-check')).toHaveLength(1);
    expect(asked).toEqual(['check', 'check', 'check']);
  });

  it('says what only some versions refuse, and offers no form that there is not', async () => {
    const { text, panel } = await draw([{ ...check, isPartial: true, isReducible: false }]);
    expect(text()).toContain('Some versions or models of llama-server refuse this tool');
    expect(text()).toContain('Change the parameters.');
    expect(panel.querySelectorAll('.server-check vscode-button')).toHaveLength(0);
  });

  it('asks nothing before the connections are known', async () => {
    const { asked } = await draw([check], undefined, false);
    expect(asked).toEqual([]);
  });
});
