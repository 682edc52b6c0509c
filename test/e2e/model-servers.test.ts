// How the playground reports changes of a server: a key that is wrong, then right, then revoked; a server that starts late;
// connections that were lost while the computer slept; models that are pulled and unloaded. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer } from '../support/model-server';
import { Panel, runCommand, screenshot, screenshotFailures, Workbench } from './support';

const WRONG = 'canary-wrong-0123456789';
const RIGHT = 'canary-right-0123456789';

const server = new ModelServer();
let workbench: Workbench;
let panel: Panel;

const page = () => workbench.page;
const lane = (): Locator => panel.lane();
const says = (text: string | RegExp): Promise<void> => panel.says(lane(), text);
const row = (name: RegExp): Locator => page().getByRole('treeitem', { name }).first();

async function giveKey(key: string): Promise<void> {
  await panel.button('Set API key', lane()).first().click();
  await page().locator('.quick-input-widget input[type=password]').fill(key);
  await page().keyboard.press('Enter');
}

/** Asks in an empty conversation, so that earlier texts cannot match. */
async function askAnew(message: string): Promise<void> {
  await panel.button('Clear conversation', lane()).click();
  await panel.ask(message);
}

beforeAll(async () => {
  await server.start();
  server.key = RIGHT;
  const once = { model: 'tiny:latest', retry: { maxAttempts: 1 } };
  workbench = await Workbench.open({
    settings: {
      'providerPlayground.connections': {
        hosted: { label: 'My API', provider: 'hosted-api', host: `${server.host}/v1`, ...once },
        local: { label: 'My server', provider: 'local-host', host: server.host, ...once },
      },
    },
  });
  panel = await Panel.open(page());
});
screenshotFailures(() => [page()]);
afterAll(async () => {
  await workbench?.close();
  await server.stop();
});

describe('a key', () => {
  it('that is missing can be set from the lane; a wrong one is reported', async () => {
    await panel.inSettings(() => panel.chooseConnection('My API'));
    await giveKey(WRONG);
    await panel.ask('How are you?');
    await says(/401/);
    await screenshot(page(), 'model-servers-1-wrong-key');
  });

  it('that is right replaces the wrong one for the next run', async () => {
    await giveKey(RIGHT);
    await panel.button('Run again', lane()).click();
    await says('All is well.');
  });

  it('that is revoked during an agent run ends the run, and its earlier steps stay', async () => {
    server.manner = 'calls';
    await askAnew('How is the weather?');
    await says('get_weather');
    // The next step is still answered; the one after it is refused.
    server.onChat = () => (server.key = 'revoked-since-0123456789');
    await lane()
      .getByRole('button', { name: /^Run agent/ })
      .click();
    await says(/401/);
    expect(await lane().getByText('get_weather').count()).toBeGreaterThan(1);
    await screenshot(page(), 'model-servers-2-revoked');
    server.onChat = () => undefined;
    server.manner = 'answers';
    server.key = RIGHT;
  });

  it('is written to no file, whether it was right or wrong', () => {
    expect(workbench.files().length).toBeGreaterThan(3);
    expect(workbench.filesWith(WRONG, RIGHT)).toEqual([]);
  });
});

describe('a server', () => {
  it('that starts after the panel was opened answers the next request', async () => {
    await server.stop();
    await askAnew('Are you there?');
    await says(/Nothing listens/);
    await screenshot(page(), 'model-servers-3-down');
    await server.start();
    await panel.button('Run again', lane()).click();
    await says('All is well.');
  });

  it('that has dropped idle connections is asked on a new one, without an extra attempt', async () => {
    server.drop();
    await askAnew('Good morning!');
    await says('All is well.');
    await says('1 attempt');
  });

  it('that breaks off its answer is reported; the received part stays, and the next run works', async () => {
    server.manner = 'stalls';
    await askAnew('Tell me everything.');
    // Not a part of the earlier reply, which is still shown for a moment.
    await says(/^\s*All is\s*$/);
    server.drop();
    await says(/broke off/);
    await says('All is');
    await screenshot(page(), 'model-servers-4-cut');
    server.manner = 'answers';
    await panel.button('Run again', lane()).click();
    await says('All is well.');
  });
});

describe('a model', () => {
  it('that is not installed is reported, and answers once it was pulled', async () => {
    await panel.inSettings(async () => {
      await panel.chooseConnection('My server');
      await panel.chooseModel('new:1b');
    });
    await askAnew('Are you there?');
    await says(/model 'new:1b' not found/);
    await screenshot(page(), 'model-servers-5-missing-model');
    server.models.push('new:1b');
    await panel.button('Run again', lane()).click();
    await says('All is well.');
  });

  it('is shown in the tree as running, and no longer as running after it was unloaded', async () => {
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    await row(/^My server.*reachable · Ollama 1\.2\.3 · 2 models/).waitFor();
    await row(/^My server/).click();
    await row(/^new:1b.*running/).waitFor();
    server.loaded.clear();
    await runCommand(page(), 'Provider Playground: Refresh Connections');
    await row(/^new:1b(?!.*running)/).waitFor();
    await screenshot(page(), 'model-servers-6-unloaded');
    await askAnew('Still there?');
    await says('All is well.');
  });
});
