import type { Command } from 'commander';
import { jsonOption } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { examineInstallation } from './installation/examine-installation.ts';

const marks = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

export function addDoctorCommand(program: Command, { config, print, fail }: CommandTools): void {
  program
    .command('doctor')
    .description('Check the database and settings, and explain how to fix any problems.')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examineInstallation(config());
      if (json) print(JSON.stringify({ findings }));
      else
        for (const { check, state, message } of findings)
          print(`${marks[state]} ${check.padEnd(20)} ${message}`);
      if (findings.some(({ state }) => state === 'problem')) fail();
    });
}
