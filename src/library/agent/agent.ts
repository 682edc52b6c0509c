// Agents as classes: `@Agent` notes what an agent is made of; `runAgent` finds it again. Runs nothing itself.
import type { SamplingParams } from '../../types';
import { InvalidOptionsError } from '../errors';
import type { Providers } from '../providers/providers';
import { checkNumber } from '../util/check-options';
import type { Budget } from './budget';
import { checkBudget } from './budget';
import type { AgentTool } from './execute-tool';
import type { AgentHooks } from './hooks';

/** What an agent asks: a provider, or what somebody puts before one, such as to queue its requests. */
export type AgentProvider = Pick<Providers, 'chat' | 'hasRates'>;

/** What an agent is made of. */
export interface AgentOptions {
  provider: AgentProvider;
  /** Wins over the provider's own sampling key by key; an `undefined` does not erase. */
  sampling?: SamplingParams | undefined;
  /** @default [] */
  tools?: readonly AgentTool[] | undefined;
  /** The system message. @default none */
  prompt?: string | undefined;
  /** @default no limit */
  budget?: Budget | undefined;
  /** A step is one chat with the tool calls it asked for. @default 10 */
  maxSteps?: number | undefined;
}

/** An agent without a class. */
export interface AgentDefinition extends AgentOptions {
  hooks?: AgentHooks | undefined;
}

/** An instance of a decorated class; `constructor` only keeps TypeScript from asking for a hook in it. */
export interface AgentInstance extends AgentHooks {
  readonly constructor: unknown;
  /** Tells it from a definition. */
  readonly provider?: never;
  /** Tells it from a class, such as one whose constructor needs arguments. */
  readonly prototype?: never;
}

/** A class with `@Agent`; it is made once a run, without arguments. */
export type AgentClass = new () => AgentInstance;

/** What `runAgent` takes. */
export type AgentSource = AgentDefinition | AgentClass | AgentInstance;

const optionsOfClass = new WeakMap<object, AgentOptions>();

/**
 * Makes an agent of a class; its methods with a hook's name are its hooks. A standard (TC39) class decorator. A subclass
 * of an agent is one too.
 */
export function Agent(options: AgentOptions) {
  return <Class extends new (...args: never[]) => AgentInstance>(
    target: Class,
    _context?: ClassDecoratorContext<Class>,
  ): void => {
    optionsOfClass.set(target, options);
  };
}

/** @throws InvalidOptionsError when it is no agent, or one that cannot run. */
export function resolveAgent(agent: AgentSource): AgentDefinition {
  const definition = findDefinition(agent);
  if (typeof definition?.provider.chat !== 'function') {
    throw new InvalidOptionsError(
      'agent',
      'is neither a class with @Agent, nor an instance of one, nor a definition with a provider',
    );
  }
  checkNumber('maxSteps', definition.maxSteps, { min: 1, integer: true });
  checkBudget(definition.budget, definition.provider.hasRates);
  return definition;
}

function findDefinition(agent: AgentSource): AgentDefinition | undefined {
  if (typeof agent === 'function') {
    const options = findOptions(agent);
    return options && { ...options, hooks: new agent() };
  }
  const options = findOptions(agent.constructor);
  if (agent.provider) return agent;
  return options && { ...options, hooks: agent };
}

function findOptions(target: unknown): AgentOptions | undefined {
  if (typeof target !== 'function') return undefined;
  return optionsOfClass.get(target) ?? findOptions(Object.getPrototypeOf(target));
}
