// The exchange of a call, as it may be recorded and shown.
import type { Exchange } from '../../types';
import type { CallContext } from '../transport/call-context';
import type { Redactor } from '../transport/redact';

/** Undefined when nothing was sent. */
export function toExchange(context: CallContext, redactor: Redactor): Exchange | undefined {
  const { request, response, translation } = context;
  if (!request) return undefined;
  return {
    request: {
      method: request.method,
      url: redactor.text(request.url),
      headers: redactor.headers(Object.entries(request.headers)),
      body: redactor.text(request.body),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: redactor.headers(Object.entries(response.headers)),
        body: redactor.text(response.body),
      },
    }),
    sent: translation?.sent ?? {},
    dropped: translation?.dropped ?? [],
    overridden: translation?.overridden ?? [],
    toolCalls: redactor.value(translation?.toolCalls ?? []),
  };
}
