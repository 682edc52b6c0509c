// The evaluations of one file in a stand-in for the Test Explorer, on scripted providers.
import type * as vscode from 'vscode';
import { EvaluationServices } from '../../../../src/host/evaluations/evaluation-services';
import type { ShownPlace } from '../../../../src/protocol';
import type { TextPair } from '../../../../src/session';
import { findEvaluationPlaces } from '../../../../src/session';
import type { Opened, Script, SessionSetup } from '../../../support/session/scripted-session';
import { calling, openSession } from '../../../support/session/scripted-session';
import type { FakeExplorer } from '../../../support/vscode/test-explorer';
import { fakeExplorer } from '../../../support/vscode/test-explorer';
import { Uri, writeFile } from '../../../support/vscode/vscode-files';

export const PATH = '/folder/weather.playground.json';
export const FILE = Uri.file(PATH).toString();
export const DOCUMENT = {
  messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
  tools: [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
  lanes: [
    { id: 'a', model: 'model-a' },
    { id: 'b', model: 'model-b' },
  ],
  evaluate: {
    repeat: 2,
    rows: [
      { id: 'oslo', city: 'Oslo' },
      { id: 'rome', city: 'Rome' },
    ],
  },
  expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
};

export interface Setting extends FakeExplorer {
  services: EvaluationServices;
  /** The sessions that were opened for the file, in order. */
  opened: Opened[];
  /** Looks into the file. */
  open: () => Promise<void>;
  shown: ShownPlace[];
  /** To the editor of the file, when it is opened next. */
  offered: ShownPlace[];
  compared: TextPair[];
  token: vscode.CancellationToken;
  run: (include?: vscode.TestItem[], options?: { repeats?: number }) => Promise<void>;
  cancel: () => void;
  /** From now on, runs are not cancelled any more. */
  renew: () => void;
}

export function explore(setup: SessionSetup & { document?: object } = {}): Setting {
  const { document = DOCUMENT, ...rest } = setup;
  const explorer = fakeExplorer();
  const opened: Opened[] = [];
  const text = JSON.stringify(document, null, 2);
  writeFile(PATH, text);
  let shared: Promise<Opened> | undefined;
  const shown: Setting['shown'] = [];
  const offered: Setting['offered'] = [];
  const compared: Setting['compared'] = [];
  const services = new EvaluationServices({
    controller: explorer.controller,
    open: async () => {
      shared ??= openSession({ text, script: () => calling('get_weather'), ...rest });
      const one = await shared;
      opened.push(one);
      await one.until(() => one.session.environment !== undefined);
      return {
        session: one.session,
        places: findEvaluationPlaces(one.backing.read()),
        release: () => undefined,
      };
    },
    compare: (texts) => Promise.resolve(void compared.push(texts)),
    show: (_uri, place) => Promise.resolve(void shown.push(place)),
    offer: (_uri, place) => void offered.push(place),
  });
  const cancelling = new Set<() => void>();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => {
      cancelling.add(listener);
      return { dispose: () => cancelling.delete(listener) };
    },
  };
  return {
    ...explorer,
    services,
    opened,
    shown,
    offered,
    compared,
    token: token as unknown as vscode.CancellationToken,
    open: async () => {
      await services.resolve(undefined);
      await services.resolve(explorer.item(FILE));
    },
    run: (include, options = {}) =>
      services.run(
        { include, exclude: undefined } as unknown as vscode.TestRunRequest,
        token as unknown as vscode.CancellationToken,
        options,
      ),
    cancel: () => {
      token.isCancellationRequested = true;
      for (const listener of cancelling) listener();
    },
    renew: () => {
      token.isCancellationRequested = false;
    },
  };
}

/** Its first run is cancelled while the third sample is under way. */
export function exploreStopped(setup: { document?: object } = {}): Setting {
  let sent = 0;
  const script: Script = () => {
    if (++sent === 3) explorer.cancel();
    return calling('get_weather');
  };
  const explorer = explore({ script, limit: 1, ...setup });
  return explorer;
}

/** The last states that were told. */
export const ended = ({ told }: Setting): string[] =>
  told.filter((line) => !/(enqueued|started)$/.test(line)).toSorted();
