"""How likely files are to need a fix: features of code and history, a model fitted on public histories, its reasons."""

from drift.quality.defects.features import FEATURES, FileFeatures, measure_features
from drift.quality.defects.model import Contribution, Model, Prediction, load_model, predict

__all__ = [
    "FEATURES",
    "Contribution",
    "FileFeatures",
    "Model",
    "Prediction",
    "load_model",
    "measure_features",
    "predict",
]
