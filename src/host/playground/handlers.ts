// The answers to what a webview may ask. It names connections, never addresses, and learns no secret.
import * as vscode from 'vscode';
import type { RequestHandlers } from '../../protocol';
import { askForKey, forgetKey } from '../commands/key-dialogs';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';
import type { RunService } from '../runs/run-service';
import type { PanelServices } from './playground-panel';
import { makeSnapshot } from './snapshot';

export function createHandlers(services: PanelServices & { runs: RunService }): RequestHandlers {
  const { connections, runs, log } = services;
  return {
    'playground/snapshot': () => makeSnapshot(services),
    'connection/models': async ({ connectionId }, signal) => {
      const connection = connections.find(connectionId);
      const { provider } = await connections.makeProvider({ connection, model: '-', rescueToolCalls: true });
      const listed = await provider.listModels({ signal });
      const models = (await connections.redactor())?.value(listed) ?? listed;
      const { isKnownEmbedder } = await loadEngine();
      const embedModel = models.find(isKnownEmbedder);
      const chatModels = models.filter((model) => !isKnownEmbedder(model));
      const isPart = chatModels.length > 0 && chatModels.length < models.length;
      return {
        models,
        ...(isPart && { chatModels }),
        ...(embedModel !== undefined && { embedModel }),
      };
    },
    'connection/set-key': async ({ connectionId }) => {
      const connection = connections.find(connectionId);
      await askForKey(services, connection);
      return { hasKey: await connections.hasKey(connection) };
    },
    'connection/forget-key': async ({ connectionId }) => {
      const connection = connections.find(connectionId);
      await forgetKey(services, connection);
      return { hasKey: await connections.hasKey(connection) };
    },
    'chat/run': (form, signal) => runs.start(form, signal),
    'chat/attach': async ({ runId }, signal) => (await runs.attach(runId, signal)) ?? null,
    'agent/run': (form, signal) => runs.startToEnd(form, signal),
    'agent/attach': async ({ runId }, signal) => (await runs.attachToEnd(runId, signal)) ?? null,
    'embed/run': (form, signal) => runs.embed(form, signal),
    'embed/attach': async ({ runId }, signal) => (await runs.attachEmbedding(runId, signal)) ?? null,
    'settings/open': async () => {
      await vscode.commands.executeCommand(
        'workbench.action.openSettings',
        `${CONFIGURATION}.${SETTINGS.connections}`,
      );
      return null;
    },
    'log/show': () => {
      log.show(true);
      return Promise.resolve(null);
    },
  };
}
