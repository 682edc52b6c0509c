// A panel with a document that its edits really change, connected by the real protocol.
import type {
  DocumentEdit,
  DocumentSnapshot,
  EnvironmentSnapshot,
  RequestHandlers,
  RequestMethod,
  ToolMock,
  ToolView,
} from '../../../../src/protocol';
import {
  DocumentSchema,
  DocumentToolSchema,
  REQUEST_PARAMS,
  RpcClient,
  RpcServer,
} from '../../../../src/protocol';
import { ElementIds } from '../../../../src/session/editing/element-ids';
import { Playground } from '../../../../webview/playground';
import * as v from 'valibot';

export const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Such as Oslo' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city'],
  },
  mocks: [{ result: { temp_c: -2 } }],
};
export const FLIGHTS = { name: 'search_flights', parameters: { type: 'object', properties: {} } };

export function toolView(change: Partial<ToolView> = {}): ToolView {
  const { name, description, parameters, mocks } = WEATHER;
  return {
    index: 0,
    id: '0',
    parameterIds: ['0', '1'],
    mockIds: ['0'],
    name,
    description,
    parameters,
    isOffered: true,
    mocks,
    problems: [],
    ...change,
  };
}

export function toSnapshot(
  content: unknown,
  version = 1,
  change: Partial<DocumentSnapshot> = {},
  ids = new ElementIds(),
): DocumentSnapshot {
  const document = v.parse(DocumentSchema, content);
  ids.follow(
    document.tools.map((entry) => [JSON.stringify(entry), '$ref' in entry ? entry.$ref : entry.name]),
  );
  return {
    version,
    kind: 'file',
    title: 'weather',
    document,
    draft: '',
    tools: document.tools.map((entry, index) => withIds(toView(entry, index), ids)),
    warnings: [],
    secrets: [],
    ...change,
  };
}

function withIds(tool: Omit<ToolView, 'id' | 'parameterIds' | 'mockIds'>, ids: ElementIds): ToolView {
  const [parameters, mocks] = [ids.listIn(tool.index, 'parameters'), ids.listIn(tool.index, 'mocks')];
  parameters.follow(Object.keys(tool.parameters.properties ?? {}).map((name) => [name]));
  mocks.follow(tool.mocks.map((mock) => [JSON.stringify(mock)]));
  return { ...tool, id: ids.ids[tool.index] ?? '', parameterIds: parameters.ids, mockIds: mocks.ids };
}

function toView(
  entry: DocumentSnapshot['document']['tools'][number],
  index: number,
): Omit<ToolView, 'id' | 'parameterIds' | 'mockIds'> {
  if (!('$ref' in entry)) {
    const { name, description = '', parameters, offered, mocks } = entry;
    const problems = name.includes('.') ? [`The name ${name} has a dot, which servers refuse.`] : [];
    return { index, name, description, parameters, isOffered: offered, mocks, problems };
  }
  const mocks: ToolMock[] = entry.mocks ?? [{ result: 'of the library' }];
  return { ...toView(v.parse(DocumentToolSchema, WEATHER), index), mocks, reference: entry.$ref };
}

export interface OpenTools {
  playground: Playground;
  /** All requests, in order. */
  requests: {
    method: RequestMethod;
    edits?: DocumentEdit[] | undefined;
    gather?: string | undefined;
    isLast?: boolean | undefined;
  }[];
  /** The current document. */
  read: () => Record<string, unknown>;
  /** The tool of the document at this index. */
  tool: (index: number) => Record<string, unknown>;
  /** Changes the document from outside. */
  write: (content: unknown) => void;
}

export async function openTools(
  content: unknown,
  change: Partial<DocumentSnapshot> = {},
  more: { environment?: EnvironmentSnapshot; handlers?: Partial<RequestHandlers> } = {},
): Promise<OpenTools> {
  let [document, version] = [structuredClone(content), 1];
  const ids = new ElementIds();
  const requests: OpenTools['requests'] = [];
  const write = (next: unknown): void => {
    document = next;
    server.emit('session/changed', { document: toSnapshot(document, ++version, change, ids), lanes: [] });
  };
  const nothing = (): Promise<null> => Promise.resolve(null);
  const others = Object.fromEntries(Object.keys(REQUEST_PARAMS).map((method) => [method, nothing]));
  const server = new RpcServer({
    post: (frame) => queueMicrotask(() => client.receive(structuredClone(frame))),
    toErrorInfo: (error) => ({ code: 'x', title: 'T', what: String(error), why: '', next: '' }),
    onProblem: (problem) => {
      throw new Error(problem);
    },
    handlers: {
      ...(others as unknown as RequestHandlers),
      ...more.handlers,
      'session/open': () =>
        Promise.resolve({
          document: toSnapshot(document, 1, change, ids),
          ...(more.environment && { environment: more.environment }),
          laneIds: ['a'],
          lanes: [],
        }),
      'document/edit': ({ edits }) => {
        for (const { path, ...edit } of edits) {
          if (path[0] === 'tools') ids.carry({ path: path.slice(1), ...edit });
        }
        write(applyEdits(document, edits));
        return nothing();
      },
    },
  });
  const client: RpcClient = new RpcClient((frame) => {
    if (frame.kind === 'request') requests.push(toRequest(frame.method, frame.params));
    void server.receive(structuredClone(frame));
  });
  const playground = new Playground({ client, loadState: () => undefined, saveState: () => undefined });
  await playground.start();
  requests.length = 0;
  const read = (): Record<string, unknown> => document as Record<string, unknown>;
  return {
    playground,
    requests,
    read,
    tool: (index) => (read()['tools'] as Record<string, unknown>[])[index] ?? {},
    write,
  };
}

function toRequest(method: string, params: unknown): OpenTools['requests'][number] {
  const { edits, gather, isLast } = params as { edits?: DocumentEdit[]; gather?: string; isLast?: boolean };
  return { method: method as RequestMethod, edits, gather, isLast };
}

export const applyEdits = (content: unknown, edits: readonly DocumentEdit[]): unknown =>
  edits.reduce<unknown>((value, edit) => applyEdit(value, edit), content);

function applyEdit(target: unknown, { path, ...edit }: DocumentEdit): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return edit.value;
  if (typeof segment === 'number') {
    const list = Array.isArray(target) ? (target as unknown[]) : [];
    if (rest.length > 0) return list.with(segment, applyEdit(list[segment], { path: rest, ...edit }));
    const { movedFrom: from } = edit;
    if (from !== undefined) return list.toSpliced(from, 1).toSpliced(segment, 0, list[from]);
    if (edit.value === undefined) return list.toSpliced(segment, 1);
    return list.toSpliced(segment, edit.isInsertion ? 0 : 1, edit.value);
  }
  const { [segment]: before, ...others } = (target ?? {}) as Record<string, unknown>;
  const next = rest.length > 0 ? applyEdit(before, { path: rest, ...edit }) : edit.value;
  if (next === undefined) return others;
  return { ...(target as object | undefined), [segment]: next };
}
