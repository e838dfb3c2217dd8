// Asks a server of one's own which models it has, so that their names need not be known by heart.
import { modelAddress } from '@codey/agent';

/** More would not fit on a screen; any other can be typed. */
const mostNames = 12;
/** Somebody waits for the next question. */
const usualDeadlineMs = 2_000;

/** Their names as the server writes them; none where it does not say. Never rejects, and writes nothing. */
export async function listModels(
  address: string,
  key: string | undefined,
  deadlineMs = usualDeadlineMs,
): Promise<readonly string[]> {
  try {
    const response = await fetch(`${baseOf(address)}/models`, {
      // A key that goes along must not go anywhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
      headers: { accept: 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    });
    return response.ok ? namesIn(await response.json()).slice(0, mostNames) : [];
  } catch {
    return [];
  }
}

/** Where a session would send its requests. */
function baseOf(address: string): string | undefined {
  return modelAddress('openai-compatible/any', {
    environment: {},
    providers: { 'openai-compatible': { baseURL: address } },
  });
}

/** `{"data": [{"id": …}, …]}`, as OpenAI's own list. */
function namesIn(list: unknown): readonly string[] {
  if (typeof list !== 'object' || list === null || !('data' in list) || !Array.isArray(list.data)) return [];
  return list.data.flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'id' in entry && isName(entry.id) ? [entry.id] : [],
  );
}

function isName(id: unknown): id is string {
  return typeof id === 'string' && /^[^\s\p{Cc}]+$/u.test(id);
}
