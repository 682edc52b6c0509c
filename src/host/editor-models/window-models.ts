// The models of this window, asked through the API of VS Code. Bundled as a chunk that is loaded when a person first asks.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readHostPlaces } from '../read-host-places';
import type { EditorMessage, EditorModel, EditorModels, EditorPart, EditorRequest } from './editor-model';

/** @param ownId Id of this extension. */
export const openWindowModels = (ownId: string): EditorModels => ({
  select: async (name) => (await vscode.lm.selectChatModels(name ?? {})).map(toModel),
  places: () => readHostPlaces(ownId),
});

function toModel(model: vscode.LanguageModelChat): EditorModel {
  const { vendor, id, name, family, version, maxInputTokens } = model;
  return {
    vendor,
    id,
    name,
    family,
    version,
    maxInputTokens,
    send: async (request, signal) => {
      const source = new vscode.CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      const forget = (): void => {
        signal?.removeEventListener('abort', cancel);
        source.dispose();
      };
      try {
        const messages = request.messages.map(toMessage);
        const { stream } = await model.sendRequest(messages, toOptions(request), source.token);
        return untilEnd(stream, forget);
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

async function* untilEnd(stream: AsyncIterable<unknown>, forget: () => void): AsyncGenerator {
  try {
    yield* stream;
  } finally {
    forget();
  }
}

function toOptions({ tools, toolMode, modelOptions }: EditorRequest): vscode.LanguageModelChatRequestOptions {
  const { Auto, Required } = vscode.LanguageModelChatToolMode;
  return {
    justification: t('It runs what you ask in a playground.'),
    ...(tools && { tools, toolMode: toolMode === 'required' ? Required : Auto }),
    ...(modelOptions && { modelOptions }),
  };
}

function toMessage({ role, content }: EditorMessage): vscode.LanguageModelChatMessage {
  const parts = content.map(toPart);
  const { LanguageModelChatMessage: Made } = vscode;
  return role === 'assistant'
    ? Made.Assistant(parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[])
    : Made.User(parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[]);
}

function toPart(
  part: EditorPart,
): vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart {
  if (part.type === 'text') return new vscode.LanguageModelTextPart(part.value);
  if (part.type === 'call') return new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input);
  return new vscode.LanguageModelToolResultPart(part.callId, [
    new vscode.LanguageModelTextPart(part.content),
  ]);
}
