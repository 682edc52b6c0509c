// A made-up protocol in the wizard: what it offers and checks follows from the entry in the catalog.
import { afterAll, expect, test, vi } from 'vitest';
import { safeParse } from 'valibot';
import { connectionSettingSchema } from '../../src/connections/connection';
import { ApiKeys } from '../../src/connections/keys/api-keys';
import { DemoSource } from '../../src/connections/sources/demo-source';
import { askForKey } from '../../src/host/commands/key-dialogs';
import { addConnection } from '../../src/host/connections-view/wizard/add-connection';
import { toLibraryCode } from '../../src/host/connections-view/library-code';
import type * as Catalog from '../../src/library/providers/catalog';
import { closeConnections, PROVIDER_CATALOG } from '../../src/library';
import { connect } from '../support/connections/connect';
import { FakeSecrets } from '../support/connections/fake-secrets';
import { sendJson, startServer } from '../support/servers/http-server';
import type { Input } from '../support/vscode/vscode-views';
import { person } from '../support/vscode/vscode-views';

vi.mock('vscode', () => import('../support/vscode/vscode-views'));
vi.mock('../../src/library/providers/catalog', async (importOriginal) => {
  const original = await importOriginal<typeof Catalog>();
  const { MADE_UP } = await import('../support/made-up/made-up-provider');
  return { ...original, PROVIDER_CATALOG: [...original.PROVIDER_CATALOG, MADE_UP] }; // the line
});

const KEY = 'canary-0123456789';

afterAll(closeConnections);

test('a connection to a made-up server is added with its own address rules, key and models', async () => {
  await using server = await startServer(({ headers }, response) =>
    headers['x-talk-key'] === KEY
      ? sendJson(response, 200, { kinds: [{ kind: 'small' }, { kind: 'big' }] })
      : sendJson(response, 401, { error: { message: 'no key' } }),
  );
  const setting = { provider: 'made-up', host: `${server.url}/talks`, label: 'Talk', model: 'big' };
  const type = (text: string) => (input: Input) => {
    input.type(text);
    input.accept();
  };
  const keys = new ApiKeys(new FakeSecrets());
  const connections = connect(keys, new DemoSource());
  person.answers.push(
    (input) => input.choose('Talk'),
    (input) => {
      input.type('https://talk.example/talks/talk');
      expect(JSON.stringify(input.validationMessage)).toContain('/talk');
      type(`${server.url}/talks`)(input);
    },
    type(KEY),
    async (input) => {
      await expect.poll(() => input.busy, { timeout: 20_000 }).toBe(false);
      input.choose('big');
    },
  );
  const added = await addConnection({
    connections,
    keys,
    monitor: { found: [] },
    explain: (error, connection) => connections.explain(error, connection),
    askForKey: (connection, place) => askForKey({ connections, keys }, connection, place),
  });
  expect(added?.setting).toEqual(setting);
  expect(safeParse(connectionSettingSchema(), added?.setting).success).toBe(true);
  const entry = PROVIDER_CATALOG.at(-1);
  expect(entry && toLibraryCode('talk', setting, entry)).toContain('new MadeUpProvider({');
});
