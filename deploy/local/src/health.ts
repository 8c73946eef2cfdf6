/**
 * Asks a process for its readiness.
 * @param operations_url `http://host:port` of its operations port
 * @returns whether it is ready and everything that it depends on responds, and its response for a message
 */
export async function readiness(
  operations_url: string,
  timeout_ms: number,
): Promise<{ isComplete: boolean; response: string }> {
  try {
    const response = await fetch(`${operations_url}/health/ready`, { signal: AbortSignal.timeout(timeout_ms) });
    const text = await response.text();
    const isComplete = response.ok && (JSON.parse(text) as { degraded: string[] }).degraded.length === 0;
    return { isComplete, response: `${response.status} ${text.slice(0, 200)}` };
  } catch {
    return { isComplete: false, response: 'nothing' };
  }
}
