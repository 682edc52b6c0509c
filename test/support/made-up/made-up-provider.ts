// A provider made up for the tests, with a key header and a wire of its own, and its entry in the catalog: what a new
// protocol needs, and nothing else.
import type {
  CatalogEntry,
  Message,
  ProviderCredentials,
  SentToolChoice,
  ToolType,
} from '../../../src/library';
import { markOwnCode } from '../../../src/library/providers/call/own-code';
import { readRecordedReply } from '../../../src/library/providers/read-recorded-reply';
import type { ChatProtocol, ChatSettings } from '../../../src/library/providers/wire-provider';
import { WireProvider } from '../../../src/library/providers/wire-provider';
import { toRecord, toText } from '../../../src/library/util/json';
import { readModelList } from '../../../src/library/wire/model-list';
import type { WireRequest } from '../../../src/library/wire/wire-shapes';
import {
  fromMadeUpReply,
  MADE_UP_PATH,
  MADE_UP_SAMPLING_KEYS,
  MadeUpStream,
  readMadeUpBody,
  readMadeUpCallTexts,
  readMadeUpChoice,
  toMadeUpRequest,
} from './made-up-wire';

const CHAT: ChatProtocol = {
  path: MADE_UP_PATH,
  asksForStream: ({ live }) => live === true,
  createStream: (emit) => new MadeUpStream(emit),
  isStream: (text) => text.trimEnd().includes('\n'),
  fromReply: fromMadeUpReply,
  readCallTexts: readMadeUpCallTexts,
};

interface MadeUpCredentials extends ProviderCredentials {
  host: string;
  model: string;
  apiKey?: string | undefined;
}

const KEY_HEADER = 'x-talk-key';

export class MadeUpProvider extends WireProvider {
  readonly #model: string;
  protected readonly protocol = CHAT;

  constructor({ host, model, apiKey, ...credentials }: MadeUpCredentials) {
    super();
    this.configure(credentials);
    this.setAddress(host, apiKey ? { [KEY_HEADER]: apiKey } : {});
    this.#model = model;
  }

  protected override get takesToolChoice(): boolean {
    return true;
  }

  protected override readToolChoice(body: Readonly<Record<string, unknown>>): SentToolChoice | undefined {
    return readMadeUpChoice(body);
  }

  protected toWire(tools: ToolType[], messages: Message[], settings: ChatSettings): WireRequest {
    return toMadeUpRequest({ model: this.#model, tools, messages, ...settings }, this.raw);
  }

  protected override async listModelsInternal(): Promise<string[]> {
    const document = await this.getDocument('/kinds');
    const list = readModelList(document, 'kinds', 'kind');
    return this.readModels(document, () =>
      typeof list === 'string' ? list : list.map((one) => ({ id: toText(toRecord(one)['kind']) ?? '' })),
    ).map(({ id }) => id);
  }
}

markOwnCode(MadeUpProvider.prototype);

export const MADE_UP: CatalogEntry = {
  id: 'made-up',
  title: 'Made-up server',
  providerClass: MadeUpProvider,
  isUsual: false,
  defaults: { host: undefined, model: undefined },
  address: {
    basePath: '/talks',
    example: 'https://talk.example/talks',
    findExcess: (host) => /(\/talk)\/*$/.exec(host)?.[1],
  },
  auth: [{ id: 'talk-key', header: KEY_HEADER, prefix: '' }],
  servers: [
    {
      label: 'Talk',
      kind: 'hosted',
      host: 'https://talk.example/talks',
      source: 'https://talk.example/docs',
    },
  ],
  needsKey: ({ auth }) => auth !== 'none',
  samplingKeys: MADE_UP_SAMPLING_KEYS,
  toolChoiceKey: 'pick',
  chatPath: MADE_UP_PATH,
  replyPlaces: { promptTokens: '/heard', completionTokens: '/said', finishReason: '/end' },
  readRequest: readMadeUpBody,
  readReply: readRecordedReply(CHAT),
  create: ({ host = '', model = '', ...credentials }) => new MadeUpProvider({ ...credentials, host, model }),
};
