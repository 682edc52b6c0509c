// Models of an editor that answer by script, with parts in the shapes that VS Code has at run time.
import type { HostPlaces } from '../../../src/host/chat-host';
import type {
  EditorModel,
  EditorModelName,
  EditorModels,
  EditorRequest,
} from '../../../src/host/editor-models/editor-model';

export type EditorScript = (
  request: EditorRequest,
  signal: AbortSignal | undefined,
) => Iterable<unknown> | AsyncIterable<unknown>;

export const textPart = (value: string): object => ({ value });
export const thinkingPart = (value: string): object => ({ value, id: undefined, metadata: undefined });
export const callPart = (callId: string, name: string, input: object): object => ({ callId, name, input });
export const dataPart = (mimeType: string, value: unknown): object => ({
  mimeType,
  data: new TextEncoder().encode(JSON.stringify(value)),
});

/** An error of the editor, which has a code, or of an extension, which has a name at most. */
export const editorError = (message: string, { code = '', name = 'Error' } = {}): Error =>
  Object.assign(new Error(message), { name, ...(code !== '' && { code }) });

export class FakeEditorModels implements EditorModels {
  readonly asked: EditorRequest[] = [];
  /** How often the list was asked for. */
  selections = 0;
  models: EditorModel[] = [];
  around: HostPlaces = { isRemote: false, affinity: undefined, ownId: 'acme.play', hasChat: true };

  add(name: EditorModelName, script: EditorScript): this {
    const { vendor, id } = name;
    this.models.push({
      vendor,
      id,
      name: id.toUpperCase(),
      family: id,
      version: '2',
      maxInputTokens: 8000,
      send: async (request, signal) => {
        this.asked.push(structuredClone(request));
        await Promise.resolve();
        return toStream(script(request, signal));
      },
    });
    return this;
  }

  select(name?: EditorModelName): Promise<EditorModel[]> {
    this.selections++;
    const isWanted = ({ vendor, id }: EditorModel): boolean =>
      !name || (vendor === name.vendor && id === name.id);
    return Promise.resolve(this.models.filter(isWanted));
  }

  places(): HostPlaces {
    return this.around;
  }
}

async function* toStream(parts: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator {
  yield* parts;
}
