import pg from 'pg';

const { builtins } = pg.types;

/** `2026-11-21 05:11:37.275+00` → `2026-11-21T05:11:37.275Z`; sessions run in UTC. */
const instant = (value: string): string => new Date(`${value.replace(' ', 'T')}:00`).toISOString();

const asIs = (value: string): string => value;

/** Reads PostgreSQL's text as JSON shows it: decimals and days stay strings, instants are RFC 3339, counts are numbers. */
export const jsonReady: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.TIMESTAMPTZ) return instant;
    if (oid === builtins.DATE || oid === builtins.TIME || oid === builtins.NUMERIC) return asIs;
    if (oid === builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};
