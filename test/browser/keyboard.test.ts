// Uses the panel by keyboard alone: no click, no text set by script, no focus moved by script. The tests depend on their order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyboard } from '../support/panel/keyboard';
import type { Panel } from '../support/panel/panel';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import { Extension } from './support/extension';

let extension: Extension;
let panel: Panel;
let keyboard: Keyboard;

beforeAll(async () => {
  extension = await Extension.start({ width: 1600, height: 1000 });
  panel = await extension.openPlayground();
  keyboard = new Keyboard(extension.page, extension.page);
});
stopAtFailure(() => [extension.page]);
afterAll(() => extension?.close());

describe('by keyboard alone', () => {
  it('a person types a message and runs it', async () => {
    await keyboard.press('Alt+0');
    await keyboard.arrive('textbox "Message"');
    await keyboard.replace('How is the weather in Oslo?');
    await keyboard.press('Control+Enter');
    await panel.says(panel.lane(), 'Rescued');
    await panel.says(panel.lane(), 'How is the weather in Oslo?');
  });

  it('a person gives a tool call its result', async () => {
    await keyboard.press('Alt+1');
    await keyboard.arrive('region "Lane 1"');
    await keyboard.goTo('button "Give result"');
    await keyboard.press('Enter');
    await keyboard.arrive('textbox "Result of get_weather"');
    await keyboard.replace('{"temp_c": -7, "sky": "snow"}');
    await keyboard.goTo('button "Send result"');
    await keyboard.press('Enter');
    await panel.says(panel.lane(), /It is .*Oslo/);
    await screenshot(extension.page, 'keyboard-1-answered');
  });

  it('a person adds a second lane with another model and temperature', async () => {
    await keyboard.press('Alt+1');
    await keyboard.arrive('region "Lane 1"');
    await keyboard.goTo('button "Add lane"', { by: 'Shift+Tab' });
    await keyboard.press('Enter');
    await keyboard.arrive('region "Lane 2"');
    await keyboard.goTo('button "Lane settings"', { region: 'Lane 2' });
    await keyboard.press('Enter');
    await keyboard.arrive('combobox "Connection"', 'Lane 2');
    await keyboard.goTo('combobox "Model"');
    await keyboard.replace('slo');
    await panel.lane(2).getByRole('option', { name: 'slow' }).waitFor();
    await keyboard.press('ArrowDown', 'Enter', 'Tab');
    await keyboard.arrive('textbox "Temperature"', 'Lane 2');
    await keyboard.type('0.3');
    await keyboard.press('Escape');
    await keyboard.arrive('button "Lane settings"', 'Lane 2');
    await panel.says(panel.lane(2), 'slow');
    await panel.says(panel.lane(2), /0\.3/);
    await screenshot(extension.page, 'keyboard-2-lanes');
  });

  it('a person asks all lanes, and stops them', async () => {
    await keyboard.press('Alt+0');
    await keyboard.arrive('textbox "Message"');
    await keyboard.type('And in Bergen?');
    await keyboard.press('Control+Enter');
    await panel.says(panel.lane(2), /Waiting for headers/);
    await panel.says(panel.lane(1), 'And in Bergen?');
    await keyboard.press('Escape');
    await panel.says(panel.lane(2), 'Stopped');
  });

  it('a person opens each tab of the inspector', async () => {
    await keyboard.press('Alt+0');
    await keyboard.arrive('textbox "Message"');
    await keyboard.goTo('tab "Reply"', { region: 'Inspector' });
    for (const tab of ['Tool calls', 'Rescue', 'Attempts', 'Wire', 'Reply']) {
      await keyboard.press('ArrowRight');
      await keyboard.arrive(`tab "${tab}"`, 'Inspector');
      const selected = panel.inspector.getByRole('tab', { selected: true });
      await expect.poll(() => selected.innerText()).toContain(tab);
    }
    await screenshot(extension.page, 'keyboard-3-inspector');
  });

  it('a person creates a tool with a parameter and a mock', async () => {
    await keyboard.press('Alt+1');
    await keyboard.arrive('region "Lane 1"');
    await keyboard.goTo('tab "Chat"', { by: 'Shift+Tab' });
    await keyboard.press('ArrowRight');
    await keyboard.arrive('tab "Evaluate"');
    await keyboard.press('ArrowRight');
    await keyboard.arrive('tab "Tools"');
    await keyboard.goTo('button "Add tool"');
    await keyboard.press('Enter');
    await keyboard.arrive('textbox "Name"');
    await keyboard.replace('get_station');
    await keyboard.press('Tab');
    await keyboard.type('Find the weather station of a city.');
    await keyboard.goTo('button "Add parameter"');
    await keyboard.press('Enter');
    await keyboard.arrive('textbox "Parameter name"');
    await keyboard.replace('city');
    await keyboard.goTo('button "Add mock"');
    await keyboard.press('Enter');
    await keyboard.arrive('combobox "Answers"');
    await keyboard.goTo('textbox "Result"');
    await keyboard.replace('{"station": "Blindern"}');
    await keyboard.press('Tab');
    await panel.says(panel.frame.locator('.tool-list'), 'get_station');
    await screenshot(extension.page, 'keyboard-4-tool');
  });

  it('a person runs an agent step by step, and changes a result between two steps', async () => {
    await keyboard.press('Alt+2');
    await keyboard.arrive('region "Lane 2"');
    await keyboard.goTo('button "Lane settings"', { region: 'Lane 2' });
    await keyboard.press('Enter');
    await keyboard.goTo('combobox "Model"');
    await keyboard.replace('parallel-calls');
    await keyboard.press('Tab', 'Escape');
    await keyboard.arrive('button "Lane settings"', 'Lane 2');
    await keyboard.press('Alt+0');
    await keyboard.arrive('textbox "Message"');
    await keyboard.type('How is the weather in Oslo and in Bergen?');
    await keyboard.press('Alt+2');
    await keyboard.arrive('region "Lane 2"');
    await keyboard.goTo('button "More actions"', { region: 'Lane 2' });
    await keyboard.press('Enter');
    await keyboard.arrive('menuitem "Run agent"');
    await keyboard.press('ArrowDown');
    await keyboard.arrive('menuitem "Step"');
    await keyboard.press('Enter');
    await panel.says(panel.lane(2), 'Paused');
    await keyboard.arrive('button "Next step"', 'Lane 2');
    await keyboard.goTo('button "Edit result"', { by: 'Shift+Tab' });
    await keyboard.press('Enter');
    await keyboard.arrive('textbox "Result of get_');
    await keyboard.replace('{"temp_c": -31, "sky": "clear"}');
    await keyboard.goTo('button "Keep result"');
    await keyboard.press('Enter');
    await panel.says(panel.lane(2), 'given by hand, edited');
    await keyboard.arrive('button "Next step"', 'Lane 2');
    await keyboard.goTo('button "Run agent"');
    await keyboard.press('Enter');
    await panel.says(panel.lane(2), 'after 2 calls');
    // The typed message is sent after the pending messages of the lane.
    await panel.says(panel.lane(2), 'How is the weather in Oslo and in Bergen?');
    await screenshot(extension.page, 'keyboard-5-stepped');
  });
});
