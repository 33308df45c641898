"""How often a name that is known to mean the same is among the first ten of all names of a project.

    python benchmarks/names.py PROJECT

PROJECT is a scanned project, whose names (all of them) are what the wanted ones hide among. The 200 pairs were written
by hand: half abbreviations, half synonyms, in names of one to three words.
"""

import sys
from pathlib import Path

from drift.index import IndexReader
from drift.kernel.words import split_words
from drift.project import StateDir
from drift.quality.names import WordLikeness, mine_synonyms, rank_names

PAIRS = """
cfgFile configFile; usrMgr userManager; msgQueue messageQueue; btnClick buttonClick; imgUrl imageUrl; reqBody requestBody
respCode responseCode; dbConn databaseConnection; pwdHash passwordHash; addrList addressList; calcTax calculateTax
initApp initializeApp; strLen stringLength; idxMap indexMap; tmpDir temporaryDirectory; prevNode previousNode; curUser currentUser
maxVal maximumValue; minVal minimumValue; avgScore averageScore; docStr documentString; envVar environmentVariable
errMsg errorMessage; evtHandler eventHandler; fnName functionName; grpId groupId; hdrSize headerSize; infoText informationText
langCode languageCode; libPath libraryPath; locName locationName; numItems numberItems; objType objectType; opCode operationCode
orgUnit organizationUnit; paramList parameterList; permSet permissionSet; pkgName packageName; posX positionX; prefMap preferenceMap
procId processId; ptrSize pointerSize; qtySold quantitySold; refCount referenceCount; repoUrl repositoryUrl; rndSeed randomSeed
schedTask scheduledTask; secKey securityKey; seqNum sequenceNumber; sessId sessionId; specFile specificationFile; srcDir sourceDirectory
statCode statusCode; subTopic subscriptionTopic; svcName serviceName; syncData synchronizeData; sysTime systemTime; tblName tableName
tsField timestampField; txnLog transactionLog; urlPath addressPath; valMap valueMap; varName variableName; verNum versionNumber
widthPx widthPixels; winSize windowSize; wrkDir workDirectory; xferRate transferRate; acctBalance accountBalance; amtDue amountDue
apptDate appointmentDate; asgnTask assignTask; attrName attributeName; authToken authenticationToken; bkgColor backgroundColor
bldNumber buildNumber; catName categoryName; chkBox checkBox; clsName className; cmdLine commandLine; cntRows countRows
colIndex columnIndex; compName componentName; ctrlPanel controlPanel; custId customerId; defVal defaultValue; delFlag deleteFlag
descText descriptionText; destPath destinationPath; dictKey dictionaryKey; dispName displayName; distKm distanceKm; elemId elementId
execTime executionTime; exprTree expressionTree; extName extensionName; favList favoriteList; filtRows filterRows; fmtDate formatDate
freqMap frequencyMap; genKey generateKey; histLog historyLog; implClass implementationClass
getUser fetchUser; removeItem deleteItem; createOrder makeOrder; startServer launchServer; stopWorker haltWorker; sendMail dispatchMail
showDialog displayDialog; checkInput validateInput; computeSum calculateTotal; listFiles filesArray; findRecord lookupRecord
saveDraft storeDraft; loadProfile readProfile; parseJson decodeJson; formatDate stringifyDate; copyTree cloneTree; mergeRows combineRows
splitText divideText; sortNames orderNames; filterUsers selectUsers; enableFeature activateFeature; disableAlarm deactivateAlarm
logEvent recordEvent; folderName directoryName; firstRow initialRow; lastPage finalPage; maxSpeed highestSpeed; minPrice lowestPrice
userName accountTitle; kindOfShape shapeCategory; keyValue idValue; onClickHandler clickCallback; settingsPage preferencesPage
replyText responseText; jobQueue taskQueue; waitForReady pauseForReady; retryUpload repeatUpload; cacheResult memoResult
connectNodes linkNodes; detachView disconnectView; oldVersion previousVersion; nextPage newPage; largeImage bigPicture; smallIcon tinyIcon
quickSearch fastSearch; loginUser authenticateUser; logoutUser signoutUser; photoAlbum imageAlbum; shoppingCart shoppingBasket
purchaseItem buyItem; resetPassword restorePassword; hideMenu concealMenu; expandNode extendNode; shrinkCache reduceCache
importUsers uploadUsers; exportReport downloadReport; killProcess terminateProcess; openFile startFile; closeConnection endConnection
addTag appendTag; insertRow addRow; pushMessage appendMessage; eraseDisk clearDisk; purgeLogs deleteLogs; buildIndex constructIndex
generateReport produceReport; emitSignal sendSignal; publishPost sendPost; receiveEvent consumeEvent; renderPage displayPage; printLabel showLabel
ensureValid assertValid; verifyToken checkToken; evaluateScore computeScore; failureCount errorCount; problemList errorList; noteText messageText
memberList userList; customerName userName2; serializeOrder encodeOrder; deserializeOrder decodeOrder; modifyEntry editEntry; alterTable changeTable
convertUnits transformUnits; translateKeys mapKeys; joinPaths concatPaths; chooseOption pickOption; queryIndex searchIndex; allowAccess enableAccess
traceCall logCall; placeName locationName2; titleText labelText; typeName kindName; listenerList callbackList; workItem jobItem; bufferSize queueSize
obtainLock acquireLock; retrieveRows loadRows; assignOwner setOwner; persistState saveState; discardDraft removeDraft; destroySession dropSession
initState createState; attachFile includeFile; runTask launchTask; finishJob endJob; acceptOffer receiveOffer; presentResult showResult; lengthOf sizeOf2
"""


def pairs() -> list[tuple[str, str]]:
    written = [one.split() for line in PAIRS.split("\n") for one in line.split(";") if one.strip()]
    return [(query, wanted.rstrip("2")) for query, wanted in written][:200]


def main() -> None:
    with IndexReader(StateDir(Path(sys.argv[1])).index_db) as reader:
        words = {one.name: split_words(one.name) for one in reader.functions.names()}
    wanted = pairs()
    words |= {name: split_words(name) for _, name in wanted}
    likeness = WordLikeness(mine_synonyms(words.values()))
    missed = []
    for query, name in wanted:
        best = [found for found, _, _ in rank_names(query, words, likeness)[:10]]
        if name not in best:
            missed.append(f"{query} -> {name}, found {best[:3]}")
    print(*missed, sep="\n")
    print(f"{len(wanted) - len(missed)} of {len(wanted)} among the first ten of {len(words):,} names")


if __name__ == "__main__":
    main()
