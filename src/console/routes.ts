import { exportTableNames } from '../record/export/table-names.ts'
import { callbackPath } from './access/oidc/pending-sign-in.ts'
import { description, event, events, nothingHere } from './api/routes.ts'
import { setDesk } from './desk-state.ts'
import { citation, exportFile, packageFile, tableFile } from './export/routes.ts'
import { feed } from './feed/routes.ts'
import { copyScript, icon, linkKey, script, style } from './layout.ts'
import { showAlert } from './pages/alert.ts'
import { acknowledge, evidence, openMessage, sendAgain } from './pages/alert-actions.ts'
import { showAlerts } from './pages/alerts.ts'
import { sendAllHeld, sendHeld, sendTest, showChannels } from './pages/channels.ts'
import { chartFile, chartImage, showChart } from './pages/chart.ts'
import { showConfiguration } from './pages/configuration.ts'
import { showDictionary } from './pages/dictionary.ts'
import { showFailed } from './pages/failed.ts'
import { makeFeed, showFeeds, withdrawFeed } from './pages/feeds.ts'
import { showFigures } from './pages/figures.ts'
import { changeFilters, restoreFilters, showFilters, tryFilters } from './pages/filters.ts'
import { showLog } from './pages/log.ts'
import { comparisonImage, modelImage, showModels } from './pages/models.ts'
import { showOverview } from './pages/overview.ts'
import { changePassword, choosePassword, showPassword, showReset } from './pages/passwords.ts'
import { addPerson, changeRole, makeResetLink, removePerson, showPeople } from './pages/people.ts'
import { changeSection, settingsNames, showSection, showSettings } from './pages/settings.ts'
import {
  changeChannel,
  pauseChannel,
  removeChannel,
  resumeChannel,
  showChannel,
  showChannelList,
  showRemoval,
} from './pages/settings-channels.ts'
import { makeFirstAccount, showSetup, showSteps, useSetupKey } from './pages/setup.ts'
import { setupStepNames, showStep, takeStep } from './pages/setup-steps.ts'
import { beginOidc, finishOidc, showSignIn, signIn, signOut } from './pages/sign-in.ts'
import { endSilence, showSilences, silence } from './pages/silences.ts'
import { makeToken, revokeToken, showTokens } from './pages/tokens.ts'
import {
  action,
  asset,
  type ConsoleRoute,
  liveChanges,
  madeFile,
  open,
  ownFeedAt,
  page,
  program,
} from './route-kinds.ts'
import { sendVerifyPage } from './verify-page.ts'

/** All that people get in a browser, and who may. */
export const pageRoutes: readonly ConsoleRoute[] = [
  page('/', 'reader', showOverview),
  page('/alerts', 'reader', showAlerts),
  page('/alerts/:id', 'reader', showAlert),
  page('/alerts/:id/sent/:channel', 'reader', openMessage),
  page('/alerts/:id/chart', 'reader', showChart),
  page('/alerts/:id/chart-light.svg', 'reader', chartImage('light')),
  page('/alerts/:id/chart-dark.svg', 'reader', chartImage('dark')),
  madeFile('/alerts/:id/chart.png', (id, parts) => chartFile('png', id, parts)),
  madeFile('/alerts/:id/chart.csv', (id, parts) => chartFile('csv', id, parts)),
  madeFile('/alerts/:id/evidence', evidence),
  page('/models', 'reader', showModels),
  page('/models/comparison-light.svg', 'reader', comparisonImage('light')),
  page('/models/comparison-dark.svg', 'reader', comparisonImage('dark')),
  page('/models/:model/chart-light.svg', 'reader', modelImage('light')),
  page('/models/:model/chart-dark.svg', 'reader', modelImage('dark')),
  page('/channels', 'reader', showChannels),
  page('/silences', 'reader', showSilences),
  page('/failed', 'reader', showFailed),
  page('/feeds', 'reader', showFeeds),
  page('/figures', 'reader', showFigures),
  page('/dictionary', 'reader', showDictionary),
  { method: 'GET', path: '/live', needs: 'reader', handlers: liveChanges },
  page('/channels/:name/filters', 'editor', showFilters),
  page('/configuration', 'admin', showConfiguration),
  page('/log', 'admin', showLog),
  page('/tokens', 'admin', showTokens),
  page('/settings', 'reader', showSettings),
  page('/settings/password', 'reader', showPassword),
  page('/settings/people', 'admin', showPeople),
  page('/settings/channels', 'admin', showChannelList),
  page('/settings/channels/:name', 'admin', showChannel),
  page('/settings/channels/:name/remove', 'admin', showRemoval),
  ...settingsNames.flatMap((name) => [
    page(`/settings/${name}`, 'admin', showSection(name)),
    action(`/settings/${name}`, 'admin', changeSection(name)),
  ]),
  action('/settings/password', 'reader', changePassword),
  action('/settings/people', 'admin', addPerson),
  action('/settings/people/:name/role', 'admin', changeRole),
  action('/settings/people/:name/reset', 'admin', makeResetLink),
  action('/settings/people/:name/remove', 'admin', removePerson),
  action('/settings/channels/:name', 'admin', changeChannel),
  action('/settings/channels/:name/remove', 'admin', removeChannel),
  action('/settings/channels/:name/pause', 'admin', pauseChannel),
  action('/settings/channels/:name/resume', 'admin', resumeChannel),
  action('/alerts/:id/acknowledge', 'editor', acknowledge),
  action('/alerts/:id/desk', 'editor', setDesk),
  action('/alerts/:id/send-again', 'editor', sendAgain),
  action('/feeds', 'reader', makeFeed),
  action('/feeds/:id/withdraw', 'reader', withdrawFeed),
  action('/silences', 'editor', silence),
  action('/silences/:id/end', 'editor', endSilence),
  action('/channels/:name/send-held', 'editor', sendHeld),
  action('/send-held', 'editor', sendAllHeld),
  action('/channels/:name/test', 'editor', sendTest),
  action('/channels/:name/filters', 'editor', changeFilters),
  action('/channels/:name/filters/try', 'editor', tryFilters),
  action('/channels/:name/filters/restore', 'editor', restoreFilters),
  action('/tokens', 'admin', makeToken),
  action('/tokens/:id/revoke', 'admin', revokeToken),
  // The same for everybody, and nothing of this installation is in it.
  { method: 'GET', path: '/verify.html', needs: 'anyone', handlers: () => [sendVerifyPage] },
  asset(style),
  asset(icon),
  asset(script),
  asset(copyScript),
  asset(linkKey),
  open('GET', '/setup', showSetup),
  open('POST', '/setup/key', useSetupKey),
  open('POST', '/setup/account', makeFirstAccount),
  page('/setup/steps', 'admin', showSteps),
  ...setupStepNames.flatMap((step) => [
    page(`/setup/${step}`, 'admin', showStep(step)),
    action(`/setup/${step}`, 'admin', takeStep(step)),
  ]),
  open('GET', '/reset', showReset),
  open('POST', '/reset', choosePassword),
  open('GET', '/sign-in', showSignIn),
  open('POST', '/sign-in', signIn),
  open('GET', '/sign-in/oidc', beginOidc),
  open('GET', callbackPath, finishOidc),
  open('POST', '/sign-out', signOut),
]

/** All that programs read. */
export const programRoutes: readonly ConsoleRoute[] = [
  program('/feed.atom', 'feeds', feed('atom')),
  program('/feed.json', 'feeds', feed('json')),
  ownFeedAt('/feed/:secret/alerts.atom', 'atom'),
  ownFeedAt('/feed/:secret/alerts.json', 'json'),
  program('/alerts.csv', 'api', exportFile('csv')),
  program('/alerts.json', 'api', exportFile('json')),
  ...exportTableNames.flatMap((table) => [
    program(`/${table}.csv`, 'api', tableFile(table, 'csv')),
    program(`/${table}.jsonl`, 'api', tableFile(table, 'jsonl')),
  ]),
  program('/datapackage.json', 'api', packageFile('datapackage.json')),
  program('/codebook.md', 'api', packageFile('codebook.md')),
  program('/alerts/:id/citation.json', 'api', citation('json')),
  program('/alerts/:id/citation.bib', 'api', citation('bib')),
  program('/api/v1/events', 'api', events),
  program('/api/v1/events/:id', 'api', event),
  program('/api/v1/openapi.json', 'api', description),
  // In the words of a program, and not as a page.
  { method: 'ALL', path: '/api', needs: 'anyone', handlers: () => [nothingHere] },
  { method: 'ALL', path: '/api/{*path}', needs: 'anyone', handlers: () => [nothingHere] },
]
