// What a person can do in a front end and what it is called there: each tells its own, so that advice never names a button that
// the person does not have.

/** Clauses, each without a full stop, such as `use Set API Key`, and names. */
export interface Face {
  /** Where connections are set up: a setting or a file. */
  connections: string;
  correctSettings: string;
  giveKey: string;
  giveAnotherKey: string;
  /** How to give any secret: a key, or the value of a header. */
  giveSecret: string;
  /** What to do when the program itself failed. */
  afterFailure: string;
  /** How to look at a reply and at what is wrong with it. */
  inspectReply: string;
  trustCertificate: string;
  /** Where the user and password of a proxy go. */
  giveProxyUser: string;
  /** The name of what diagnoses a connection. */
  diagnosis: string;
  /** Names of what holds the address of the proxy, and the hosts that are reached without it. */
  proxy: string;
  noProxy: string;
  /** Why a request was stopped, as a clause. */
  whyStopped: string;
}

/** The clause as a sentence. */
export const asSentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
