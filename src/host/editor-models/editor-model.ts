// What is needed of the editor to use its models: a port, so that everything else about them is independent of vscode.

import type { HostPlaces } from '../chat-host';

/** Vendor of the models that this extension itself offers to the editor's chat; they are no lanes of it. */
export const OWN_VENDOR = 'provider-playground';
/** Vendor of Copilot's models, whose rules are known. */
export const COPILOT_VENDOR = 'copilot';

export interface EditorModelName {
  vendor: string;
  id: string;
}

/** A model of the editor: an extension offers it, and the editor passes requests on to that extension. */
export interface EditorModel extends EditorModelName {
  name: string;
  family: string;
  version: string;
  maxInputTokens: number;
  /** Rejects, as does the reply, with what the editor throws. */
  send: (request: EditorRequest, signal: AbortSignal | undefined) => Promise<AsyncIterable<unknown>>;
}

export interface EditorModels {
  /** Asks the editor, which may start other extensions for it: only to be called when a person acts. Of every vendor without a name. */
  select: (name?: EditorModelName) => Promise<EditorModel[]>;
  /** For the reasons why the editor offers no model. */
  places: () => HostPlaces;
}

/** A request in the editor's own terms; as JSON it is also the record of what was asked. */
export interface EditorRequest {
  messages: EditorMessage[];
  tools?: { name: string; description: string; inputSchema: object }[];
  toolMode?: 'auto' | 'required';
  modelOptions?: Record<string, unknown>;
}

export interface EditorMessage {
  role: 'user' | 'assistant';
  content: EditorPart[];
}

export type EditorPart =
  | { type: 'text'; value: string }
  | { type: 'call'; callId: string; name: string; input: object }
  | { type: 'result'; callId: string; content: string };

/** The name of the model in a lane, such as `copilot/gpt-4o`. Ids may contain further slashes. */
export const toModelName = ({ vendor, id }: EditorModelName): string => `${vendor}/${id}`;

/** @returns undefined for a name without vendor or id */
export function fromModelName(model: string): EditorModelName | undefined {
  const at = model.indexOf('/');
  return at > 0 && at < model.length - 1
    ? { vendor: model.slice(0, at), id: model.slice(at + 1) }
    : undefined;
}
