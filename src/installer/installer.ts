import { parseArgs } from 'node:util'
import { satisfies } from 'semver'
import type { Dialog } from './dialog.js'
import { formatChanges } from './format-changes.js'
import { InstallerProblem, LeftByHand } from './installer-problem.js'
import { ownPackage } from './own-package.js'
import { uncommittedFiles } from './git.js'
import type { FileChange } from './project-files.js'
import { readProject, type Product, type Project } from './project.js'
import { installedProducts, lacksProductFields } from './steps/plugin.js'
import { applySteps, statesOf, undoSteps, type StepState } from './run-steps.js'
import { coloured, diffOf } from './show-changes.js'
import { stripeNote } from './stripe-note.js'
import { addPackage, commandsAfter, lineOf, type StoreCommand } from './store-commands.js'
import { keepCommands, keptCommands } from './kept-commands.js'
import { runCommands } from './run-commands.js'
import { finishChanges, writeChanges } from './write-changes.js'

export type InstallerCommand = 'init' | 'doctor' | 'remove' | 'upgrade'

const exitCodes = { done: 0, problem: 1, byHand: 2 } as const

const installerUsage = `Usage: storeconnect init     makes the changes that Storeconnect needs in this store
       storeconnect doctor   says which changes are missing
       storeconnect remove   takes the changes out again
       storeconnect upgrade  installs this version, and writes import map, types and a migration

Options: --dry-run             shows the steps and the diff, and changes nothing
         --diff                shows the diff before anything is changed, also with --yes
         --yes                 answers yes to all questions
         --only shipping       ShipStation without Klaviyo; --only marketing: Klaviyo without ShipStation
         --package <spec>      what to install, such as a tarball; default: this version

Ends with 0 when all is done, 1 when it cannot go on, 2 when something is left to you, which it names.
`

/** Runs a command of the installer. @returns The exit code of the process. */
export async function runInstaller(
  command: InstallerCommand,
  { given, folder, dialog }: { given: readonly string[]; folder: string; dialog: Dialog },
): Promise<number> {
  try {
    const options = readOptions(given)
    if (options.help === true) {
      dialog.say(installerUsage)
      return exitCodes.done
    }
    if (finishChanges(folder))
      dialog.say('Finished the changes that an interrupted command had begun.')
    const found = readProject(folder, options.package ?? `^${ownPackage().version}`)
    refuseUnsupported(found)
    const products = installedProducts(found) ?? (await chosenProducts(command, options, dialog))
    const project = { ...found, products }
    const work = { init, doctor, remove, upgrade }[command]
    return await work(project, options, dialog)
  } catch (error) {
    if (!(error instanceof InstallerProblem)) throw error
    dialog.say(error.message)
    return error instanceof LeftByHand ? exitCodes.byHand : exitCodes.problem
  }
}

type Options = ReturnType<typeof readOptions>

function readOptions(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: {
        'dry-run': { type: 'boolean' },
        diff: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        only: { type: 'string' },
        package: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (cause) {
    throw new InstallerProblem(`${(cause as Error).message}\n\n${installerUsage}`, { cause })
  }
}

async function chosenProducts(
  command: InstallerCommand,
  { only, yes }: Options,
  dialog: Dialog,
): Promise<Set<Product>> {
  if (only !== undefined && only !== 'shipping' && only !== 'marketing') {
    throw new InstallerProblem(`--only takes shipping or marketing, not "${only}".`)
  }
  if (only !== undefined) return new Set([only])
  if (command !== 'init' || yes === true) return new Set(['shipping', 'marketing'])
  const answer = await dialog.choose('Which do you use?', [
    { value: 'both', label: 'ShipStation and Klaviyo' },
    { value: 'shipping', label: 'ShipStation alone' },
    { value: 'marketing', label: 'Klaviyo alone' },
  ])
  return new Set(answer === 'both' ? ['shipping', 'marketing'] : [answer as Product])
}

function refuseUnsupported(project: Project): void {
  const { database } = project
  const version = project.versionOf('payload') ?? ''
  if (
    /^\d+\.\d+\.\d+/.test(version) &&
    !satisfies(version, ownPackage().peerDependencies.payload)
  ) {
    throw new InstallerProblem(
      `Storeconnect needs Payload 3.90 or newer, and not 4. This store has ${version}. Upgrade Payload first.`,
    )
  }
  if (database === 'mongodb') {
    throw new InstallerProblem(
      `This store uses MongoDB. Storeconnect needs SQLite or PostgreSQL: a pull of orders, a shipment and the queue of sends rely on what they guarantee.
A store without data can change: npm uninstall @payloadcms/db-mongodb, npm install @payloadcms/db-sqlite,
and in payload.config.ts  db: sqliteAdapter({ client: { url: process.env.DATABASE_URL || 'file:./store.db' } }).
Then run this again.`,
    )
  }
  if (database === 'other') {
    throw new InstallerProblem(
      'Storeconnect needs @payloadcms/db-sqlite or @payloadcms/db-postgres.',
    )
  }
}

async function init(project: Project, options: Options, dialog: Dialog): Promise<number> {
  const wanted = new Map<string, boolean>()
  for (const { step, state } of statesOf(project)) {
    if (step.question === undefined || state !== 'to do' || options.yes === true) continue
    wanted.set(step.title, await dialog.confirm(step.question))
  }
  const states = applySteps(project, ({ title }) => wanted.get(title) !== false)
  sayStates(project, states, dialog)
  const code = sayByHand(project, states, dialog)
  const isChanged = await changeStore(project, commandsAfter(project, 'storeconnect'), {
    options,
    dialog,
  })
  if (isChanged) dialog.say(nextSteps(project))
  return code
}

function doctor(project: Project, _: Options, dialog: Dialog): number {
  const states = statesOf(project)
  sayStates(project, states, dialog)
  const open = states.filter(({ state }) => state !== 'done')
  if (open.length > 0) dialog.say('Run `npx payload-storeconnect init` to make these changes.')
  sayByHand(project, states, dialog)
  const kept = keptCommands(project.files.folder)
  if (kept.length > 0)
    dialog.say(`${keptText(kept)}\nRepeat what you ran last, such as \`init\`: it runs them.`)
  if (open.length > 0 || kept.length > 0) return exitCodes.byHand
  dialog.say('Everything is in place.')
  return exitCodes.done
}

async function remove(project: Project, options: Options, dialog: Dialog): Promise<number> {
  const left = undoSteps(project)
  for (const { title } of left) dialog.say(`By hand: what "${title}" has made was changed since.`)
  const isChanged = await changeStore(project, commandsAfter(project, 'without-storeconnect'), {
    options,
    dialog,
  })
  if (isChanged)
    dialog.say('The stored data is still there: docs/upgrading.md says how to drop it.')
  return left.length === 0 ? exitCodes.done : exitCodes.byHand
}

async function upgrade(project: Project, _: Options, dialog: Dialog): Promise<number> {
  const [, ...others] = commandsAfter(project, 'storeconnect')
  const added = addPackage(project, `payload-storeconnect@${project.packageVersion}`)
  await runCommands(project.files.folder, [added, ...others], dialog)
  return doctor(project, {}, dialog)
}

function sayStates(project: Project, states: readonly StepState[], dialog: Dialog): void {
  dialog.say(states.map(stateLine).join('\n'))
  const note = stripeNote(project)
  if (note !== undefined) dialog.say(note)
}

function stateLine({ step, state }: StepState): string {
  const mark = { done: '✓', 'to do': '+', 'by hand': '!' }[state]
  return `${mark} ${step.title}${state === 'by hand' ? ': by hand, see below' : ''}`
}

function sayByHand(project: Project, states: readonly StepState[], dialog: Dialog): number {
  const open = states.filter(({ state }) => state === 'by hand')
  for (const { step } of open) {
    const { task, text } = step.snippet(project)
    dialog.say(
      `\n${step.title}: the installer did not find the place for it.\n${task}\n\n${text}\n`,
    )
  }
  return open.length === 0 ? exitCodes.done : exitCodes.byHand
}

/**
 * Writes the changes, when they are wanted, and runs the commands after them. Without changes it runs what an earlier
 * command has left.
 *
 * @returns Whether it has run commands.
 */
async function changeStore(
  { files }: Project,
  commands: readonly StoreCommand[],
  { options, dialog }: { options: Options; dialog: Dialog },
): Promise<boolean> {
  const { folder } = files
  const changes = await formatChanges({ folder, changes: files.changes() }, dialog)
  const kept = keptCommands(folder)
  if (changes.length === 0) dialog.say('No file changes.')
  if (changes.length === 0 && kept.length > 0) dialog.say(keptText(kept))
  if (changes.length === 0 && kept.length === 0) return false
  if (!(await isWanted(folder, changes, { options, dialog }))) return false
  const following = changes.length === 0 ? kept : commands
  keepCommands(folder, following)
  writeChanges(folder, changes)
  await runCommands(folder, following, dialog)
  return true
}

const keptText = (kept: readonly StoreCommand[]) =>
  ['Commands that have not succeeded yet:', ...kept.map(lineOf)].join('\n')

/** Shows the diff and asks. */
async function isWanted(
  folder: string,
  changes: readonly FileChange[],
  { options, dialog }: { options: Options; dialog: Dialog },
): Promise<boolean> {
  const isDryRun = options['dry-run'] === true
  if (changes.length > 0 && (isDryRun || options.diff === true || options.yes !== true))
    dialog.say(coloured(diffOf(changes)))
  if (isDryRun) return false
  if (options.yes === true) return true
  const uncommitted = uncommittedFiles(folder)
  if (uncommitted === undefined)
    dialog.say('This folder is in no git repository, so that only `remove` takes the changes back.')
  else if (uncommitted.length > 0)
    dialog.say(`${uncommitted.length} files have changes that are not committed.`)
  return dialog.confirm(changes.length === 0 ? 'Run these commands?' : 'Make these changes?')
}

function nextSteps(project: Project): string {
  const { products } = project
  return [
    'Start the shop. What is left is yours:',
    ...(products.has('shipping')
      ? [
          '- Storeconnect → Settings → Shipping: type a username and a password. The page shows the URL for ShipStation’s Custom Store.',
        ]
      : []),
    ...(products.has('marketing')
      ? [
          '- Storeconnect → Settings → Marketing: paste Klaviyo’s private key, and choose what to send.',
        ]
      : []),
    ...(lacksProductFields(project)
      ? ['- Products without SKU and weight: storeConnect({ addProductFields: true }) adds them.']
      : []),
  ].join('\n')
}
