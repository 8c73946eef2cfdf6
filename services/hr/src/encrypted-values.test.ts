import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { addMasterKey, type MasterKeys, masterKeysIn } from '@suite/chassis/identity';
import { openEncryption, openDecryption } from '@suite/field-encryption';
import { isUnfinished, rotateKeys } from '@suite/field-encryption/rotation';
import { runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../test/fixture.ts';

const { serving, company } = await openHr();
const { pool } = serving.database;
const directory = mkdtempSync(join(tmpdir(), 'master-'));
addMasterKey(directory);
const master = masterKeysIn(directory);
let acme: TestWorkspace;
beforeEach(async () => {
  acme = await company();
});

/** A rotation includes all workspaces, and other tests have broken theirs. */
afterEach(async () => {
  await serving.sql`DELETE FROM employees`;
  await serving.sql`DELETE FROM data_keys`;
});

const cipherLocationOf = (id: string, column = 'bank_sealed') => ({ table: 'employees', column, id });

/** Creates an employee with an encrypted bank account. Returns the ID. */
const hire = (account: string, { write }: TestWorkspace = acme): Promise<string> =>
  write(async (db) => {
    const cipher = await openEncryption(db, master);
    const { id: department_id, branch_id } = await db.department.findFirstOrThrow();
    const { id: designation_id } = await db.designation.findFirstOrThrow();
    const id = randomUUID();
    await db.employee.create({
      data: {
        id,
        code: id,
        name: 'Ada',
        status: 'active',
        branch_id,
        department_id,
        designation_id,
        employment_type: 'full',
        joining_date: '2026-01-01T00:00:00Z',
        bank_sealed: cipher.seal(cipherLocationOf(id), account),
      },
    });
    return id;
  });

const storedEmployee = async (id: string) =>
  (await serving.sql`SELECT bank_sealed, version FROM employees WHERE id = ${id}`)[0]!;
const keysOf = ({ workspace }: TestWorkspace) => serving.sql`
  SELECT id, purpose, master, current, wrapped FROM data_keys WHERE workspace_id = ${workspace} ORDER BY purpose`;
const decryptBank = async (id: string, by: TestWorkspace = acme, keys: MasterKeys = master): Promise<string> => {
  const { bank_sealed } = await storedEmployee(id);
  return await by.write(async (db) => (await openDecryption(db, keys)).open(cipherLocationOf(id), bank_sealed));
};

describe('encrypted fields', () => {
  test('are encrypted with workspace keys, which are created once', async () => {
    const ids = await runConcurrently(20, (at) => hire(`DE ${at}`));
    expect(await keysOf(acme)).toMatchObject([{ purpose: 'index' }, { purpose: 'values' }]);
    expect(await Promise.all(ids.map((id) => decryptBank(id)))).toEqual(ids.map((_, at) => `DE ${at}`));
    expect((await storedEmployee(ids[0]!)).bank_sealed).not.toContain('DE ');
  });

  test('can be decrypted in their own row and workspace only', async () => {
    const [one, other] = [await hire('one'), await hire('other')];
    await serving.sql`UPDATE employees SET bank_sealed = (SELECT bank_sealed FROM employees WHERE id = ${one}) WHERE id = ${other}`;
    await expect(decryptBank(other)).rejects.toThrow('it was changed, or belongs elsewhere');
    const rival = await company();
    await hire('theirs', rival);
    await expect(decryptBank(one, rival)).rejects.toThrow('its key is not one of this workspace');
  });

  test('cannot be decrypted by a data key from another workspace', async () => {
    const id = await hire('mine');
    const rival = await company();
    await hire('theirs', rival);
    await serving.sql`UPDATE data_keys SET wrapped = (SELECT wrapped FROM data_keys
      WHERE workspace_id = ${rival.workspace} AND purpose = 'values') WHERE workspace_id = ${acme.workspace} AND purpose = 'values'`;
    await expect(decryptBank(id)).rejects.toThrow('does not open');
  });

  test('are masked in the audit log', async () => {
    const id = await hire('DE02 1203');
    await acme.write(async (db) => {
      const cipher = await openEncryption(db, master);
      await db.employee.updateMany({
        where: { id },
        data: { bank_sealed: cipher.seal(cipherLocationOf(id), 'DE89'), name: 'Eve' },
      });
    });
    const log =
      await serving.sql`SELECT action, before, after FROM journal_changes WHERE record_id = ${id} ORDER BY at, action`;
    expect(log).toMatchObject([
      { action: 'insert', after: { name: 'Ada', bank_sealed: '[sealed]', tax_id_sealed: null } },
      {
        action: 'update',
        before: { name: 'Ada', bank_sealed: '[sealed]' },
        after: { name: 'Eve', bank_sealed: '[sealed]' },
      },
    ]);
    expect(JSON.stringify(log)).not.toContain('v1.');
  });

  test('cannot be recovered without the master key', async () => {
    const id = await hire('lost');
    const elsewhere = mkdtempSync(join(tmpdir(), 'master-'));
    await expect(decryptBank(id, acme, masterKeysIn(elsewhere))).rejects.toThrow('Master key "');
    const wrong = mkdtempSync(join(tmpdir(), 'master-'));
    while (addMasterKey(wrong).name !== master.newest().name);
    // Each process caches its unwrapped keys, even for a key with the same name.
    await serving.sql`UPDATE data_keys SET wrapped = wrapped || 'x' WHERE workspace_id = ${acme.workspace}`;
    await expect(decryptBank(id, acme, masterKeysIn(wrong))).rejects.toThrow('does not open');
    for (const created of [elsewhere, wrong]) rmSync(created, { recursive: true });
  });
});

describe('a rotation', () => {
  test('encrypts all values again during writes, without visible changes', async () => {
    const ids = await runConcurrently(30, (at) => hire(`DE ${at}`));
    const before = await keysOf(acme);
    const index = (value: string) =>
      acme.write(async (db) => (await openEncryption(db, master)).index('tax_id', value).toString('hex'));
    const found_by = await index('DE 1');
    addMasterKey(directory);
    const [, ...written] = await Promise.all([
      rotateKeys(pool, master),
      ...Array.from({ length: 20 }, (_, at) => hire(`new ${at}`)),
    ]);
    const after = await keysOf(acme);
    expect(after.map(({ purpose, current }) => [purpose, current])).toEqual([
      ['index', true],
      ['values', true],
    ]);
    expect(after[1]!.id).not.toBe(before[1]!.id);
    expect(new Set(after.map(({ master: name }) => name))).toEqual(new Set([master.newest().name]));
    expect(await index('DE 1')).toBe(found_by);
    for (const [at, id] of ids.entries()) {
      expect(await decryptBank(id)).toBe(`DE ${at}`);
      const { bank_sealed, version } = await storedEmployee(id);
      expect([bank_sealed.split('.')[1], version]).toEqual([after[1]!.id, 1]);
    }
    expect(await Promise.all(written.map((id) => decryptBank(id)))).toEqual(written.map((_, at) => `new ${at}`));
    expect(await isUnfinished(pool, master)).toBe(false);
  });

  test('leaves all values readable when stopped, and resumes', async () => {
    const [whole, broken] = [await hire('whole'), await hire('broken')];
    const { bank_sealed } = await storedEmployee(broken);
    await serving.sql`UPDATE employees SET bank_sealed = ${`${bank_sealed}x`} WHERE id = ${broken}`;
    addMasterKey(directory);
    const { unopened } = await rotateKeys(pool, master);
    expect(unopened).toEqual([expect.stringContaining(`employees.bank_sealed of ${broken} does not open`)]);
    expect(await isUnfinished(pool, master)).toBe(true);
    expect(await decryptBank(whole)).toBe('whole');
    await serving.sql`UPDATE employees SET bank_sealed = ${bank_sealed} WHERE id = ${broken}`;
    await rotateKeys(pool, master);
    expect(await isUnfinished(pool, master)).toBe(false);
    expect([await decryptBank(whole), await decryptBank(broken)]).toEqual(['whole', 'broken']);
    expect(await rotateKeys(pool, master)).toEqual({ workspaces: 1, values: 0, unopened: [] });
  });
});
