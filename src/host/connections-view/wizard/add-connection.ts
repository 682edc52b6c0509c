// Adds a connection step by step: its server, address, key and model. Then saves and tests it.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../../library';
import type { ModelInfo } from '../../../types';
import type { Connection } from '../../../connections';
import { toLabel } from '../../../inspect';
import { originOf } from '../../../connections';
import { COMMANDS } from '../../contributions';
import type { StepPlace } from '../../dialogs';
import { loadEngine } from '../../load-engine';
import type { ConnectionMonitor } from '../connection-monitor';
import { checkHost } from './check-host';
import { freeId, writeConnection } from '../own-settings';
import type { Preset } from './presets';
import { othersOf, presetsOf, settingOfOther } from './presets';
import type { Step, StepResult } from './quick-steps';
import { askSteps, pickOne, typeText } from './quick-steps';
import { describeModel } from '../state-words';
import type { ViewDependencies } from '../view-dependencies';

export interface AddServices extends Pick<
  ViewDependencies,
  'connections' | 'keys' | 'askForKey' | 'explain'
> {
  monitor: Pick<ConnectionMonitor, 'found'>;
}

/** The answers so far. */
interface Draft {
  preset?: Preset;
  /** The models of the editor were chosen, which have a command of their own. */
  isOfEditor?: boolean;
  host?: string;
  /** The server at this address refused a request without a key, and the connection can send one. */
  isKeyed?: boolean;
  model?: string;
}

/** The known servers, and for each kind a choice for one without a preset, in each protocol. */
function kindsOf(catalog: readonly CatalogEntry[]): Preset[] {
  const others = (kind: Preset['kind'], name: string): Preset[] =>
    othersOf(catalog, kind).map(({ title, isUsual, setting }) => ({
      label: isUsual ? name : `${name}: ${title}`,
      kind,
      setting,
    }));
  return [
    ...presetsOf(catalog),
    ...others('local', t('Other local server')),
    ...others('hosted', t('Other hosted API')),
  ];
}

/**
 * @returns the new connection, saved in the user's settings; undefined if the user cancelled, or chose the models of the editor,
 *   which need no settings. In both cases nothing is kept of it.
 */
export async function addConnection(services: AddServices): Promise<Connection | undefined> {
  const taken = [...services.connections.list().map(({ id }) => id), ...(await services.keys.storedFor())];
  const draft: Draft = {};
  const { PROVIDER_CATALOG } = await loadEngine();
  const toDraft = (): Connection => {
    const connection = toConnection(draft, PROVIDER_CATALOG, taken);
    return (draft.isKeyed && services.connections.withKey(connection)) || connection;
  };
  /** The connection that a key was asked for last. */
  let asked: Connection | undefined;
  /** Forgets that key, unless it is for the connection that there will be. */
  const forgetKey = async (wanted?: Connection): Promise<void> => {
    if (asked && !(wanted && isSameExceptModel(asked, wanted))) await services.keys.forget(asked.id);
  };
  const steps: Step<Draft>[] = [
    { ask: (state, place) => askKind(services, state, place) },
    { ask: askHost },
    {
      // Until the kind is known, all possible steps are counted.
      isNeeded: ({ preset, isKeyed = false }) => preset?.kind !== 'local' || isKeyed,
      ask: async (_, place) => {
        const connection = toDraft();
        await forgetKey(connection);
        asked = connection;
        return services.askForKey(connection, place);
      },
    },
    { ask: (state, place) => askModel(services, toDraft(), state, place) },
  ];
  try {
    const isDone = await askSteps(t('Add Connection'), draft, steps);
    const connection = toDraft();
    await forgetKey(isDone ? connection : undefined);
    if (draft.isOfEditor) void vscode.commands.executeCommand(COMMANDS.useEditorModels);
    if (!isDone) return undefined;
    await writeConnection(connection.id, connection.setting);
    return connection;
  } catch (error) {
    await forgetKey();
    throw error;
  }
}

/** Whether a key that was given for one is for the other, too. */
const isSameExceptModel = (one: Connection, other: Connection): boolean =>
  one.id === other.id && isDeepStrictEqual({ ...one.setting, model: '' }, { ...other.setting, model: '' });

function toConnection(
  { preset, host, model }: Draft,
  catalog: readonly CatalogEntry[],
  taken: readonly string[],
): Connection {
  const isKnown = presetsOf(catalog).some(({ label: known }) => known === preset?.label);
  const label = preset && isKnown ? preset.label : nameOf(host);
  const setting = {
    label,
    ...(preset?.setting ?? settingOfOther(catalog, 'hosted')),
    ...(host !== undefined && { host }),
    ...(model !== undefined && { model }),
  };
  return { id: freeId(label, taken), label, scope: 'user', setting };
}

/** Name of a connection without a preset: the host of its address. */
function nameOf(host: string | undefined): string {
  const origin = originOf(host);
  return origin === undefined ? 'connection' : new URL(origin).host;
}

type KindItem = vscode.QuickPickItem & { preset?: Preset; isOfEditor?: boolean };

async function askKind({ monitor }: AddServices, draft: Draft, place: StepPlace): Promise<StepResult> {
  const answering = new Set(monitor.found.map(({ label }) => label));
  const toItem = (preset: Preset): KindItem => ({
    label: preset.label,
    description: answering.has(preset.label) ? t('running now') : (preset.setting.host ?? ''),
    preset,
  });
  const kinds = kindsOf((await loadEngine()).PROVIDER_CATALOG);
  const of = (kind: Preset['kind']): KindItem[] => kinds.filter((preset) => preset.kind === kind).map(toItem);
  const items = [
    toSeparator(t('on this machine or network')),
    ...of('local'),
    toSeparator(t('hosted')),
    ...of('hosted'),
    toSeparator(t('in this editor')),
    { label: t("VS Code's models"), description: t('Copilot and other extensions'), isOfEditor: true },
  ];
  const answer = await pickOne(place, { placeholder: t('Which server does the connection use?'), items });
  if (typeof answer === 'string') return answer;
  const { preset, isOfEditor } = answer.value.item;
  if (isOfEditor) {
    draft.isOfEditor = true;
    return 'cancel';
  }
  if (preset && preset.label !== draft.preset?.label) {
    draft.preset = preset;
    draft.host = preset.setting.host ?? '';
    draft.isKeyed = false;
  }
  return 'next';
}

const toSeparator = (label: string): KindItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

async function askHost(draft: Draft, place: StepPlace): Promise<StepResult> {
  const engine = await loadEngine();
  const { preset, host = '' } = draft;
  const { PROVIDER_CATALOG, HOST_PLACEHOLDER } = engine;
  const { provider } = preset?.setting ?? settingOfOther(PROVIDER_CATALOG, 'hosted');
  const { basePath = '', example = '' } = PROVIDER_CATALOG.find(({ id }) => id === provider)?.address ?? {};
  const at = host.indexOf(HOST_PLACEHOLDER);
  const answer = await typeText(place, {
    prompt:
      basePath === '' ? t('Address of the server, without a path') : t('Base address, with its version'),
    value: host,
    placeholder: example,
    selection: at < 0 ? undefined : [at, at + HOST_PLACEHOLDER.length],
    check: (text) => checkHost(engine, provider, text),
  });
  if (typeof answer === 'string') return answer;
  if (answer.value !== draft.host) draft.isKeyed = false;
  draft.host = answer.value;
  return 'next';
}

type ModelItem = vscode.QuickPickItem & { model?: string; isBack?: boolean };

async function askModel(
  services: AddServices,
  connection: Connection,
  draft: Draft,
  place: StepPlace,
): Promise<StepResult> {
  const controller = new AbortController();
  const items = readModelItems(services, connection, controller.signal);
  const placeholder = t("The model that a new lane starts with, from the server's list");
  const answer = await pickOne(place, { placeholder, items, adapt: offerTyped });
  controller.abort();
  if (answer === 'again') draft.isKeyed = true;
  if (typeof answer === 'string') return answer;
  const { item, typed: filter } = answer.value;
  if (item.isBack) return 'back';
  const model = item.model ?? filter;
  if (model !== '') {
    draft.model = model;
    return 'next';
  }
  const typed = await typeText(place, {
    prompt: t('Name of the model, as the server calls it'),
    value: draft.model ?? '',
    check: (text) => (text.trim() === '' ? t('A model needs a name.') : undefined),
  });
  // The list of models is this same step.
  if (typed === 'back') return askModel(services, connection, draft, place);
  if (typeof typed === 'string') return typed;
  draft.model = typed.value;
  return 'next';
}

/** The name may have been typed into the list already. It is not in the label, which would sort it before longer names. */
function offerTyped(item: ModelItem, typed: string): ModelItem {
  const isListed = item.model !== undefined || item.isBack;
  return isListed || typed === '' ? item : { ...item, label: t('Use the typed name'), description: typed };
}

const LIST_LIMIT_MS = 15_000;

/**
 * Never rejects: an error is listed as an item, and a name can always be typed.
 * @returns `again` when the server wants the key that the connection does not send yet
 */
async function readModelItems(
  { connections, explain }: AddServices,
  connection: Connection,
  signal: AbortSignal,
): Promise<ModelItem[] | 'again'> {
  const typed: ModelItem = {
    label: t('Type the name of a model…'),
    iconPath: new vscode.ThemeIcon('edit'),
    alwaysShow: true,
  };
  try {
    const { models } = await connections.describeServer(connection, { signal, timeoutMs: LIST_LIMIT_MS });
    const { isKnownEmbedder } = await loadEngine();
    const chat = models.filter(({ id }) => !isKnownEmbedder(id)).toSorted(runningFirst);
    return [
      ...chat.map((model) => ({
        label: toLabel(model.id, 200),
        description: describeModel(model),
        model: model.id,
      })),
      typed,
    ];
  } catch (error) {
    const { code, title, next } = await explain(error, connection);
    const { isKeyRefused } = await loadEngine();
    if (isKeyRefused(error)) {
      const keyed = connections.withKey(connection);
      if (keyed && keyed !== connection) return 'again';
      const detail = t('The server refuses this one ({0}).', error.status);
      const icon = new vscode.ThemeIcon('key');
      const another = { label: t('Enter another key…'), iconPath: icon, detail, isBack: true };
      if (await connections.hasKey(connection)) return [another, typed];
    }
    // A line of a list is short: what to do comes first.
    const what = code === 'unsupported' ? t('This server lists no models.') : `${title}.`;
    return [{ ...typed, detail: toLabel(`${what} ${next}`, 400) }];
  }
}

const runningFirst = (one: ModelInfo, other: ModelInfo): number =>
  Number(other.isRunning ?? false) - Number(one.isRunning ?? false);
