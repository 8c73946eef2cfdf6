/** Views of widgets for the users who manage widgets. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { widgetStates } from './widget.rules.ts';
import { Widget, type WidgetDetails } from './widget.schema.ts';

const COUNTERS = sql`
  SELECT json_build_object('submitted', coalesce(sum(submitted), 0), 'merged', coalesce(sum(merged), 0),
    'spam', coalesce(sum(spam), 0), 'refused', coalesce(sum(refused), 0))
  FROM widget_counts
  WHERE widget_counts.workspace_id = widgets.workspace_id AND widget_counts.widget_id = widgets.id`;

/** Most recently issued token. */
const TOKEN = sql`
  SELECT token FROM widget_tokens
  WHERE widget_tokens.workspace_id = widgets.workspace_id AND widget_tokens.widget_id = widgets.id
    AND widget_tokens.expires_at IS NULL`;

/** Columns and computed fields of a widget. */
export const widgetView = (caller: Caller) => ({
  table: 'widgets',
  compute: { counters: COUNTERS, token: TOKEN, allowed_actions: widgetStates.shownTo(caller, 'widgets') },
});

/** Returns a widget as in lists, for the response of a change. */
export const readWidget = ({ db, caller }: { db: Db; caller: Caller }, id: string) =>
  readOne(db, Widget, id, widgetView(caller));

/** Returns the URL of the form with a token. */
export const widgetUrl = (public_url: string, token: string): string => `${public_url}/api/widget/${token}`;

/** Returns a widget with the code to paste into a page. */
export async function showWidget(
  context: { db: Db; caller: Caller },
  id: string,
  public_url: string,
): Promise<z.input<typeof WidgetDetails>> {
  const widget = await readWidget(context, id);
  const page_url = widgetUrl(public_url, String(widget.token));
  return { ...widget, page_url, snippet: `<script src="${page_url}/embed.js" async></script>` };
}
