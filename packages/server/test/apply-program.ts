import type { Actor } from '../src/audit/actor.ts';
import type { Db } from '../src/platform/database/database.ts';
import { type AppliedProgram, applyProgramFile } from '../src/program-file/apply-program.ts';
import { readProgramFile } from '../src/program-file/read-program.ts';

export const fileActor: Actor = {
  kind: 'program-file',
  id: 'test.yaml',
  name: 'tester',
  command: 'provision',
};

export const applyProgram = (db: Db, text: string, name = 'test.yaml'): Promise<AppliedProgram> =>
  applyProgramFile(db, fileActor, readProgramFile(text, name));
